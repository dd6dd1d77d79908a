const { load } = require('walkmesh');

import('./trial.js').then(({ trial }) => trial(load)).then((outcome) => console.log(JSON.stringify(outcome)));
