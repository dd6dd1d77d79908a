/** Builds the native library (build/native) and the WebAssembly modules (dist), which tests and benchmarks use. */
import { run, setUp } from './setup.js';

setUp();
run('cmake', ['-S', '.', '-B', 'build/native', '-DCMAKE_BUILD_TYPE=Release']);
run('cmake', ['--build', 'build/native', '--target', 'walkmesh', '-j', '2']);
run('node', ['wasm/build.js']);
