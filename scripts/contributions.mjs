/** `npm run contributions`: writes what src/host/contributions.ts declares into package.json. Needs Node 24, which reads TypeScript. */
import { readFileSync, writeFileSync } from 'node:fs';
import { languageModelTools } from '../src/host/chat/toolContributions.ts';
import { contributes } from '../src/host/contributions.ts';
import { RESTRICTED } from '../src/host/settings/declared.ts';

const file = new URL('../package.json', import.meta.url);
const manifest = JSON.parse(readFileSync(file, 'utf8'));
manifest.contributes = { ...contributes(), languageModelTools: languageModelTools() };
manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = [...RESTRICTED];
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
