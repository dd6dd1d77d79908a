import { load } from 'walkmesh';
import { trial } from './trial.js';

trial(load).then((outcome) => { window.outcome = outcome; }, (error) => { window.outcome = { error: error.message }; });
