/** docs/cli.md tells every verb and option of the terminal, and none that there is not. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { makeProgram } from '../../../../src/terminal/verbs/program.ts';
import { terminalWorld } from '../../../support/world/terminalWorld.ts';

const text = readFileSync(new URL('../../../../docs/cli.md', import.meta.url), 'utf8');

const program = makeProgram((await terminalWorld()).deps, () => undefined);

function verbs(): Command[] {
  const withInner = (command: Command): Command[] => [command, ...command.commands.flatMap(withInner)];
  const { commands } = program;
  return program
    .createHelp()
    .visibleCommands(program)
    .filter((one) => commands.includes(one))
    .flatMap(withInner);
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
