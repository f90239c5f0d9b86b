/**
 * `npx node scripts/task-schema.mjs`: writes media/task/task.schema.json, the form of a task's YAML for tools that know JSON Schema; `--check` fails
 * if the file differs.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { taskJsonSchema } from '../src/vscode/task/text/taskSchema.ts';

const file = new URL('../media/task/task.schema.json', import.meta.url);
const text = `${JSON.stringify(taskJsonSchema({ t: (words) => words }), null, 2)}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
  const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url));
  execFileSync(process.execPath, [biome, 'format', '--write', fileURLToPath(file)]);
} else if (JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))) !== JSON.stringify(JSON.parse(text)))
  throw new Error('media/task/task.schema.json is not as declared: run `npx node scripts/task-schema.mjs`');
