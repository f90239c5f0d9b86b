/** docs/cli.md tells every verb and option of the terminal, and none that there is not. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { addAgentVerbs } from '../../../src/terminal/program/agentVerbs.ts';
import { addApiVerbs } from '../../../src/terminal/program/apiVerbs.ts';
import { addBriefVerbs } from '../../../src/terminal/program/briefVerbs.ts';
import { addJobVerbs } from '../../../src/terminal/program/jobVerbs.ts';
import { addProjectVerbs } from '../../../src/terminal/program/projectVerbs.ts';
import { addStateVerbs } from '../../../src/terminal/program/stateVerbs.ts';
import { addTaskVerbs } from '../../../src/terminal/program/taskVerbs.ts';

const text = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');

function verbs(): Command[] {
  const program = new Command();
  for (const add of [
    addAgentVerbs,
    addApiVerbs,
    addBriefVerbs,
    addJobVerbs,
    addProjectVerbs,
    addStateVerbs,
    addTaskVerbs,
  ])
    add(program, async () => undefined);
  const withInner = (command: Command): Command[] => [command, ...command.commands.flatMap(withInner)];
  return program.commands.flatMap(withInner);
}

const wordsOf = (command: Command): string =>
  command.parent?.parent == null ? command.name() : `${wordsOf(command.parent)} ${command.name()}`;

it('has each verb', () => {
  const groups = verbs().filter(({ commands }) => commands.length > 0);
  const untold = verbs()
    .filter((command) => !groups.includes(command))
    .map(wordsOf)
    .filter((words) => !new RegExp(`\`${words}\\b`).test(text));
  expect(untold).toEqual([]);
});

it('has each option, and no other', () => {
  const known = new Set(verbs().flatMap(({ options }) => options.map(({ long }) => long)));
  const everywhere = ['--json', '--project-dir', '--jobs-dir', '--allow-host', '--help', '--version'];
  const told = new Set([...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag));
  expect([...known].filter((flag) => flag != null && !told.has(flag))).toEqual([]);
  expect([...told].filter((flag) => !known.has(flag) && !everywhere.includes(flag))).toEqual([]);
});
