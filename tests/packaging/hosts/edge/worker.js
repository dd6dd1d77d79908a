import { load } from 'walkmesh';
import wasm from 'walkmesh/walkmesh.wasm'; // a compiled module: edge workers compile nothing at run time
import { trial } from './trial.js';

const describe = ({ code, message }) => `${code}: ${message}`;

export default {
  async fetch() {
    const { bake } = await trial(load, { wasm });
    const without = await load().then(() => 'no error', describe);
    return Response.json({ bake, without });
  },
};
