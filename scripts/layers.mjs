/** `npm run layers`: writes the import bans of test/support/suite/layers.ts for Biome. Needs Node 24, which reads TypeScript. */
import { writeFileSync } from 'node:fs';
import { biomeLayers } from '../test/support/suite/biomeLayers.ts';

writeFileSync(new URL('../biome.layers.json', import.meta.url), biomeLayers());
