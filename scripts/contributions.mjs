/** `npm run contributions`: writes what src/vscode/contributions.ts declares into package.json. Needs Node 24, which reads TypeScript. */
import { readFileSync, writeFileSync } from 'node:fs';
import { contributes } from '../src/vscode/contributions.ts';
import { languageModelTools } from '../src/vscode/main/toolContributions.ts';
import { RESTRICTED } from '../src/vscode/settings/declared.ts';

const file = new URL('../package.json', import.meta.url);
const manifest = JSON.parse(readFileSync(file, 'utf8'));
manifest.contributes = { ...contributes(), languageModelTools: languageModelTools() };
manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = [...RESTRICTED];
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
