import { load } from 'walkmesh';
import { trial } from './trial.js';

console.log(JSON.stringify(await trial(load)));
