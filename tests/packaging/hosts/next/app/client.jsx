'use client';

import { useEffect } from 'react';
import { load } from 'walkmesh';
import { trial } from '../trial.js';

export default function Client({ server }) {
  useEffect(() => {
    trial(load).then((outcome) => { window.outcome = { ...outcome, server }; }, (error) => { window.outcome = { error: error.message, server }; });
  }, [server]);
  return <p>{server}</p>;
}
