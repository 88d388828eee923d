import { program } from '../program.mjs';
import { Client } from './client.jsx';

export const dynamic = 'force-dynamic';

export default async function Page() {
  return <Client server={await program()} />;
}
