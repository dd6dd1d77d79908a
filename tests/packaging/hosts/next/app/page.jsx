import { load } from 'walkmesh';
import { trial } from '../trial.js';
import Client from './client.jsx';

export const dynamic = 'force-dynamic';

/** Runs on the server, and sends a component to the page. */
export default async function Page() {
  const { bake } = await trial(load).catch((error) => ({ bake: error.message }));
  return <Client server={bake} />;
}
