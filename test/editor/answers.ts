/** Before an answer goes out: an agent's words are no links, and commands are read before they may run. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScenarioInput } from '../../src/adapters/simulated/scenario.ts';
import type { Terminal } from './terminal.ts';
import { inWindow, type World } from './world.ts';

/** Exit code of the terminal program when the steward is waited for. */
const WAITS = 3;
const QUESTION = 'Which name?';
const LINK = '[See the details](command:workbench.action.files.newUntitledFile)';
const SETUP = 'npm ci';

const STUCK = {
  tool: 'report',
  input: { outcome: 'stuck', summary: `It depends. ${LINK}`, question: `${QUESTION} ${LINK}` },
};

const SCENARIO: ScenarioInput = {
  version: 1,
  title: 'A name',
  plan: {
    title: 'A name',
    phases: [
      {
        title: 'Name',
        objective: 'It has a name.',
        acceptance_criteria: ['It has one.'],
        verify_commands: [],
        features: [{ name: 'Name', category: 'words', description: 'Give it a name.', testing_steps: ['It has one'] }],
      },
    ],
  },
  features: { Name: { attempts: [{ turns: [{ calls: [STUCK] }] }] } },
  otherwise: {
    feature: { attempts: [{ turns: [{ calls: [STUCK] }] }] },
    phase: { reviews: [{ verdict: { verdict: 'APPROVED', reason: 'It has one.' } }], summaries: ['It has one.'] },
  },
};

/** Carried out by the terminal program, before any window opens. */
async function askingJob(terminal: Terminal, folder: string): Promise<void> {
  const file = join(folder, 'name.json');
  await writeFile(file, JSON.stringify(SCENARIO));
  const options = ['--provider', 'simulated', '--scenario', file, '--gates', 'none'];
  const { code, printed } = await terminal.autonomous('run', 'Give it a name', ...options);
  assert.equal(code, WAITS, printed);
}

/** With a lock file, which says how packages are installed: that is asked before anything else. */
async function jobBeforeItsSetup(terminal: Terminal, folder: string): Promise<void> {
  const lock = { name: 'sheet', lockfileVersion: 3, packages: {} };
  await writeFile(join(folder, 'sheet', 'package-lock.json'), JSON.stringify(lock));
  await terminal.git('add', 'package-lock.json');
  const author = ['-c', 'user.name=You', '-c', 'user.email=you@localhost'];
  await terminal.git(...author, 'commit', '--quiet', '--message', 'Lock the packages');
  await askingJob(terminal, folder);
}

const subjects = ({ approvals }: Readonly<Record<string, unknown>>): readonly string[] =>
  (approvals as { subject: string }[]).map(({ subject }) => subject);

export async function agentsWordsAreNoLinks(world: World): Promise<void> {
  await inWindow(world, 'w', { prepare: askingJob }, async ({ window, pictures }) => {
    const asking = await window.notifications.saying(QUESTION);
    await pictures.take('words-notification');
    assert.match((await asking.textContent()) ?? '', /\[See the details\]/);
    assert.equal(await asking.locator('a', { hasText: 'See the details' }).count(), 0);
    await window.notifications.press(QUESTION, 'Answer…');
    const prompt = window.input.box.filter({ hasText: 'It depends.' });
    await prompt.waitFor();
    await pictures.take('words-prompt');
    assert.match((await prompt.textContent()) ?? '', /\[See the details\]/);
    assert.equal(await prompt.locator('a', { hasText: 'See the details' }).count(), 0);
  });
}

export async function commandsAreRead(world: World): Promise<void> {
  await inWindow(world, 'c', { prepare: jobBeforeItsSetup }, async ({ window, terminal, pictures }) => {
    const asking = await window.notifications.saying('Run these setup commands');
    const buttons = asking.locator('.monaco-button');
    assert.equal(await buttons.filter({ hasText: 'Approve' }).count(), 0, 'nothing is approved unseen');
    await buttons.filter({ hasText: 'Show…' }).click();
    const dialog = window.page.locator('.monaco-dialog-box').filter({ hasText: SETUP });
    await dialog.waitFor();
    await pictures.take('setup');
    await dialog.locator('.monaco-button').filter({ hasText: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.deepEqual(subjects(await terminal.ask('approvals')), ['setup'], 'it waits as before');
    await window.command('Autonomous: Approve');
    await window.input.pick('Run these setup commands');
    await dialog.locator('.monaco-button').filter({ hasText: 'Run' }).click();
    await terminal.until('approvals', (printed) => !subjects(printed).includes('setup'));
  });
}
