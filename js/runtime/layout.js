/**
 * Where the members of C structs lie in the module's memory, in words of 4 bytes from the start of the struct; `words` is its
 * size. A member inside of a word has a fraction: its byte is 4 times the number. Written by wasm/layout.js from the headers of
 * src/ and wasm/ in every build: do not edit.
 */

export const Session = {
  words: 164, context: 0, failure: 1, bytesInUse: 2, bytesPeak: 4, byteLimit: 6, allocationsBeforeFailure: 8, inputs: 10,
  answer: 58, filter: 98,
};

export const WmFailure = {
  words: 12, value: 0, minimum: 2, maximum: 4, status: 6, field: 7, before: 8, after: 9, part: 10,
};

export const Bake = {
  words: 41, session: 0, config: 1, input: 26, baker: 40,
};

export const Dynamic = {
  words: 24, session: 0, dynamic: 1, volume: 2, motion: 21,
};

export const LinkGenerator = {
  words: 9, session: 0, generator: 1, origin: 2, tileSide: 4, volumeCount: 5, bounds: 6, volumes: 7, blocking: 8,
};

export const Switches = {
  words: 22, session: 0, switches: 1, volume: 2,
};

export const WmConfig = {
  words: 25, cellSize: 0, cellHeight: 1, agentHeight: 2, agentRadius: 3, agentMaxClimb: 4, agentMaxSlope: 5, partition: 6,
  chunkSize: 7, minRegionSize: 8, mergeRegionSize: 9, maxEdgeLength: 10, maxEdgeError: 11, maxVerticesPerPolygon: 12,
  detailSampleDistance: 13, detailMaxError: 14, tileSize: 15, filterLowHangingObstacles: 16, filterLedges: 16.25,
  filterLowHeight: 16.5, medianFilter: 16.75, heights: 17, hasBounds: 18, boundsAbove: 18.25, boundsMin: 19, boundsMax: 22,
};

export const WmVoxelConfig = {
  words: 14, width: 0, depth: 1, walkableHeight: 2, walkableClimb: 3, walkableRadius: 4, maxEdgeCells: 5, minRegionCells: 6,
  mergeRegionCells: 7, detailSampleDistanceWorld: 8, detailMaxErrorWorld: 9, borderSize: 10, tileCountX: 11, tileCountZ: 12,
  tileWorldSize: 13,
};

export const WmTriangles = {
  words: 6, positions: 0, positionStride: 1, vertexCount: 2, indices: 3, triangleCount: 4, areas: 5,
};

export const WmBakeInput = {
  words: 14, triangles: 0, solids: 6, solidCount: 7, volumes: 8, volumeCount: 9, connections: 10, connectionCount: 11,
  areaFlags: 12, fromKeptTiles: 13, keptTilesAreEroded: 13.25,
};

export const WmSolid = {
  words: 22, kind: 0, area: 1, start: 2, end: 5, halfAxes: 8, radius: 17, vertices: 18, vertexCount: 19, indices: 20,
  triangleCount: 21,
};

export const WmAreaVolume = {
  words: 19, kind: 0, area: 1, beforeErosion: 1.25, minimum: 2, maximum: 5, centre: 8, halfExtents: 11, yaw: 14, radius: 15,
  height: 16, vertices: 17, vertexCount: 18,
};

export const WmOffMeshConnection = {
  words: 9, start: 0, end: 3, radius: 6, flags: 7, area: 7.5, bidirectional: 7.75, userId: 8,
};

export const WmHeightfield = {
  words: 17, grid: 0, spanCount: 11, cellFirst: 12, spanMin: 13, spanMax: 14, spanArea: 15, block: 16,
};

export const WmCompactHeightfield = {
  words: 22, grid: 0, walkableHeight: 11, walkableClimb: 12, spanCount: 13, cellFirst: 14, spanFloor: 15, spanClearance: 16,
  spanArea: 17, links: 18, linksAreSymmetric: 20, borrowsArrays: 20.25, block: 21,
};

export const WmLinkBlock = {
  words: 4, step: 0, present: 2, allowed: 3, stride: 3, isWide: 3, list: 3,
};

export const WmLinks = {
  words: 2, blocks: 0, lists: 1,
};

export const WmDistanceField = {
  words: 4, spanCount: 0, spanDistance: 1, maxDistance: 2, isSpare: 2.5, block: 3,
};

export const WmRegions = {
  words: 4, spanCount: 0, spanRegion: 1, regionCount: 2, block: 3,
};

export const WmContourSet = {
  words: 20, grid: 0, maxError: 11, contourCount: 12, contourRegion: 13, contourArea: 14, vertexFirst: 15, vertices: 16,
  rawFirst: 17, rawVertices: 18, block: 19,
};

export const WmPolygonMesh = {
  words: 20, grid: 0, maxError: 11, maxVerticesPerPolygon: 12, vertexCount: 13, polygonCount: 14, vertices: 15, polygons: 16,
  polygonRegion: 17, polygonArea: 18, block: 19,
};

export const WmDetailMesh = {
  words: 8, submeshCount: 0, vertexCount: 1, triangleCount: 2, submeshes: 3, vertices: 4, triangles: 5, isOnSurface: 6,
  block: 7,
};

export const WmTileData = {
  words: 2, bytes: 0, byteCount: 1,
};

export const WmBakeStages = {
  words: 97, heightfield: 0, compact: 17, distance: 39, regions: 43, contours: 47, polygonMesh: 67, detailMesh: 87, tile: 95,
};

export const WmFacing = {
  words: 6, up: 0, down: 2, degenerate: 4,
};

export const WmBaker = {
  words: 270, context: 0, config: 1, input: 26, nextItem: 40, prepareStep: 41, facing: 42, bins: 48, tile: 120, obstacles: 122,
  obstacleCount: 123, surface: 124, keepStages: 130, isKept: 130.25, wantsAir: 130.5, rows: 131, air: 147, voxels: 148,
  boundsMin: 162, boundsMax: 165, warnings: 168, triangleAreas: 169, nextStage: 170, stages: 171, walkableCount: 268,
};

export const WmLinkKindConfig = {
  words: 2, isOn: 0, area: 0.25, flags: 0.5, costFactor: 1,
};

export const WmLinkConfig = {
  words: 19, kinds: 0, dropMaxHeight: 8, jumpMaxDistance: 9, jumpMaxUp: 10, jumpMaxDown: 11, jumpPeak: 12, climbMaxHeight: 13,
  vaultMaxHeight: 14, vaultMaxDepth: 15, minWidth: 16, minSaving: 17, thinning: 18,
};

export const WmRefusedLink = {
  words: 12, reason: 0, kind: 0.25, start: 1, end: 4, place: 7, value: 10, limit: 11,
};

export const WmMeshParameters = {
  words: 14, origin: 0, tileWidth: 3, tileDepth: 4, tileCountX: 5, tileCountZ: 6, cellSize: 7, cellHeight: 8, agentHeight: 9,
  agentRadius: 10, agentMaxClimb: 11, detourMaxTiles: 12, detourMaxPolygons: 13,
};

export const WmMeshTotals = {
  words: 13, tiles: 0, polygons: 1, connections: 2, vertices: 3, triangles: 4, links: 5, byteCount: 6, boundsMin: 7,
  boundsMax: 10,
};

export const WmMeshTile = {
  words: 64, ref: 0, slot: 2, x: 3, z: 4, layer: 5, userId: 6, polygonCount: 7, vertexCount: 8, linkRoom: 9, detailCount: 10,
  detailVertexCount: 11, detailTriangleCount: 12, nodeCount: 13, connectionCount: 14, groundCount: 15, agentHeight: 16,
  agentRadius: 17, agentMaxClimb: 18, boundsMin: 19, boundsMax: 22, cellsPerUnit: 25, triangleCount: 26, costFactor: 27,
  bytes: 28, byteCount: 29, vertices: 30, polygonVertices: 31, polygonNeighbours: 32, polygonSize: 33, polygonArea: 34,
  polygonFlags: 35, details: 36, detailVertices: 37, detailTriangles: 38, nodes: 39, connections: 40, connectionEnds: 41,
  linkFirst: 42, links: 43, linkPortals: 44, linkBacks: 45, stateFirst: 46, detailBoxes: 47, detailFrames: 48, leafCount: 49,
  leafPolygons: 50, leafBlocks: 51, nearGrid: 52, areaBefore: 57, nodeRise: 58, rings: 59, segments: 60, tieFirst: 61,
  ties: 62,
};

export const WmLink = {
  words: 6, slot: 0, polygon: 1, edge: 2, side: 2.25, low: 2.5, high: 2.75, middle: 3,
};

export const WmConnection = {
  words: 12, start: 0, end: 3, radius: 6, climb: 7, bidirectional: 8, enabled: 8.25, area: 8.5, flags: 9, userId: 10,
  costFactor: 11,
};

export const WmSegmentLink = {
  words: 17, start: 0, end: 6, peak: 12, cost: 13, userId: 14, flags: 15, area: 15.5, kind: 15.75, bidirectional: 16,
  enabled: 16.25,
};

export const WmLinkOff = {
  words: 13, start: 0, end: 6, kind: 12,
};

export const WmFilter = {
  words: 66, includeFlags: 0, excludeFlags: 0.5, areaCosts: 1, costs: 65,
};

export const WmSwitchVolume = {
  words: 20, kind: 0, area: 1, minimum: 2, maximum: 5, centre: 8, halfExtents: 11, yaw: 14, radius: 15, height: 16,
  vertices: 17, vertexCount: 18, byMiddle: 19,
};

export const WmSwitchedFlags = {
  words: 5, x: 0, z: 1, layer: 2, polygon: 3, before: 4, owned: 4.5,
};

export const WmNearest = {
  words: 6, polygon: 0, point: 2, over: 5,
};

export const WmNearestOptions = {
  words: 6, filter: 0, halfExtents: 1, radius: 4, preference: 5,
};

export const WmSearchOptions = {
  words: 7, filter: 0, maxNodes: 1, anyAngle: 2, rayLimit: 3, shortest: 4, isPlain: 4.25, wallDistance: 5, wallCost: 6,
};

export const WmPathOptions = {
  words: 14, search: 0, halfExtents: 7, radius: 10, crossings: 11, maxPoints: 12, islands: 13,
};

export const WmCorridor = {
  words: 7, state: 0, reason: 1, cost: 2, polygonCount: 3, polygons: 4, searched: 5, bound: 6,
};

export const WmPath = {
  words: 26, state: 0, reason: 1, cost: 2, length: 3, remaining: 4, cut: 5, polygonCount: 6, polygons: 7, pointCount: 8,
  points: 9, pointFlags: 10, pointPolygons: 11, start: 12, end: 18, searched: 24, bound: 25,
};

export const WmAlternativeOptions = {
  words: 17, path: 0, count: 14, difference: 15, maxLength: 16,
};

export const WmAlternatives = {
  words: 2, count: 0, paths: 1,
};

export const WmCorridorState = {
  words: 8, position: 0, target: 3, polygonCount: 6, polygons: 7,
};

export const WmFloodOptions = {
  words: 6, filter: 0, maxCost: 1, radius: 2, shape: 3, shapeCount: 4, maxPolygons: 5,
};

export const WmFlood = {
  words: 5, count: 0, polygons: 1, parents: 2, costs: 3, cut: 4,
};

export const WmRandom = {
  words: 2, state: 0,
};

export const WmRandomOptions = {
  words: 4, filter: 0, islands: 1, island: 2, area: 3,
};

export const WmRay = {
  words: 14, hit: 0, outside: 0.25, cut: 0.5, t: 1, point: 2, normal: 5, polygon: 8, edge: 10, cost: 11, polygonCount: 12,
  polygons: 13,
};

export const WmMove = {
  words: 8, polygon: 0, point: 2, polygonCount: 5, polygons: 6,
};

export const WmWall = {
  words: 18, found: 0, distance: 1, point: 2, normal: 5, segment: 8, polygon: 14, edge: 16,
};

export const WmSegments = {
  words: 3, count: 0, ends: 1, polygons: 2,
};

export const WmTraceEvent = {
  words: 6, polygon: 0, target: 2, link: 4, kind: 5,
};

export const WmPolygons = {
  words: 4, count: 0, polygons: 1, parents: 2, cut: 3,
};

export const WmTileGraphOptions = {
  words: 3, filter: 0, spacing: 1, keepsRemoved: 2,
};

export const WmLongPathOptions = {
  words: 5, halfExtents: 0, legTiles: 3, shortest: 4,
};

export const WmWaypoint = {
  words: 9, point: 0, cost: 3, x: 4, z: 5, layer: 6, isLoaded: 7, isConnection: 7.25, isNext: 7.5, padding: 7.75, entry: 8,
};

export const WmLongPath = {
  words: 36, state: 0, reason: 1, cost: 2, lowerBound: 3, isEstimate: 4, leadsToEnd: 4.25, legWaypoints: 5, waypointCount: 6,
  waypoints: 7, searched: 8, leg: 10,
};

export const WmTileGraphTotals = {
  words: 5, tiles: 0, loadedTiles: 1, entrances: 2, blocks: 3, byteCount: 4,
};

export const WmTileGraphSteps = {
  words: 4, entranceCount: 0, points: 1, stepCount: 2, steps: 3,
};

export const WmCrowdOptions = {
  words: 12, searchBudget: 0, maxSearchNodes: 1, maxStep: 2, maxSubsteps: 3, placeExtents: 4, focusRadius: 7,
  neighbourRange: 8, maxFields: 9, patience: 10, gravity: 11,
};

export const WmAgentParameters = {
  words: 20, radius: 0, height: 1, maxSpeed: 2, maxAcceleration: 3, turningSpeed: 4, stoppingDistance: 5, separation: 6,
  horizon: 7, avoidance: 8, priority: 9, group: 10, avoids: 11, filter: 12, type: 13, wallDistance: 14, wallCost: 15,
  climbSpeed: 16, autoBraking: 17, autoConnections: 17.25, anticipateTurns: 17.5, shortest: 17.75, userData: 18,
};

export const WmCrowdView = {
  words: 8, count: 0, positions: 1, previousPositions: 2, velocities: 3, headings: 4, states: 5, reasons: 6, agents: 7,
};

export const WmAgentInfo = {
  words: 40, index: 0, state: 1, reason: 2, polygon: 4, hasTarget: 6, target: 7, reachable: 10, desiredVelocity: 13,
  remaining: 16, radius: 17, connection: 18, connectionStart: 20, connectionEnd: 23, connectionProgress: 26, isOnLink: 27,
  linkIsReversed: 27.25, linkKind: 28, linkAcross: 29, linkPeak: 30, neighbourCount: 31, wallCount: 32, cornerCount: 33,
  passage: 34, passageEntry: 35, waitsFor: 38,
};

export const WmCrowdStep = {
  words: 7, simulated: 0, substeps: 1, searched: 2, waitingSearches: 3, searches: 4, arrived: 5, crowded: 6,
};

export const WmSavedCrowdInfo = {
  words: 6, agentCount: 0, meshCount: 1, obstacleCount: 2, filterCount: 3, steps: 4,
};

export const WmDetourCacheSummary = {
  words: 24, origin: 0, cellSize: 3, cellHeight: 4, agentHeight: 5, agentRadius: 6, agentMaxClimb: 7, maxEdgeError: 8,
  tileSize: 9, firstX: 10, firstZ: 11, tileCountX: 12, tileCountZ: 13, layerCount: 14, placeCount: 15, maxTiles: 16,
  maxObstacles: 17, boundsMin: 18, boundsMax: 21,
};

export const WmObstacleMotion = {
  words: 3, carving: 0, moveThreshold: 1, timeToRest: 2,
};

export const WmMovingObstacle = {
  words: 10, position: 0, radius: 3, height: 4, velocity: 5, obstacle: 8,
};

export const WmTileChange = {
  words: 8, x: 0, z: 1, isChanged: 2, ofLinks: 2.25, before: 4, after: 6,
};

export const WmTileJob = {
  words: 6, x: 0, z: 1, ticket: 2, keptNumber: 3, obstacles: 4, obstacleBytes: 5,
};
