/** A project's whole life by commands, an edit of its PROJECT.md, and the tools that language models of the editor get. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, type LanguageModelTextPart, lm } from 'vscode';
import { seenApprovals, seenMessages, seenProjects } from './cli.ts';
import { extension, manifest, projectDir } from './extension.ts';
import { test } from './registry.ts';

const NAME = 'api-migration';
const LOOK_MS = 250;

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function whenStatus(status: string): Promise<void> {
  const seen = await until(async () => (await seenProjects()).find(({ name }) => name === NAME));
  assert.equal(seen.status, status);
}

const about = (act: string, more: object = {}): Thenable<unknown> =>
  commands.executeCommand(`autonomous.${act}`, { project: NAME, ...more });

async function lives(): Promise<void> {
  await extension().activate();
  await commands.executeCommand('autonomous.newProject', { name: NAME, goal: 'Move the API to version 2.' });
  await whenStatus('active');
  await about('messageProject', { text: 'Begin with the orders.' });
  const answer = await until(async () => (await seenMessages(NAME)).find(({ direction }) => direction === 'out'));
  assert.match(answer.text, /noted message/);
  await about('suspendProject');
  await whenStatus('suspended');
  await about('resumeProject');
  await whenStatus('active');
}

test('a project is made, spoken to, suspended and resumed by commands', lives);

const DEFINITION = ['.autonomous', 'projects', NAME, 'PROJECT.md'];

async function isTakenOver(): Promise<void> {
  const file = join(projectDir(), ...DEFINITION);
  writeFileSync(file, readFileSync(file, 'utf8').replace('Move the API', 'Move the whole API'));
  const asked = await until(async () => (await seenApprovals()).find(({ kind }) => kind === 'definition'));
  assert.deepEqual(asked.choices, ['take_over', 'put_back']);
  await commands.executeCommand('autonomous.approve', asked.id, { choice: 'take_over' });
  await until(async () => (await seenProjects()).find(({ goal }) => goal === 'Move the whole API to version 2.'));
}

test('an edit of PROJECT.md is asked about, and taken over by the answer', isTakenOver);

async function ends(): Promise<void> {
  await about('completeProject', { reason: 'It is moved.' });
  await whenStatus('completed');
  await about('archiveProject');
  await whenStatus('archived');
  assert.match(readFileSync(join(projectDir(), ...DEFINITION), 'utf8'), /^status: archived$/m);
}

test('a project is completed and archived by commands, and its PROJECT.md says so', ends);

async function textOf(name: string, input: object): Promise<string> {
  const { content } = await lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return (content as LanguageModelTextPart[]).map(({ value }) => value).join('');
}

async function toolsAnswer(): Promise<void> {
  const declared = (manifest().contributes?.languageModelTools ?? []).map(({ name }) => name);
  assert.ok(declared.includes('autonomous_submit_brief'));
  assert.ok(!declared.some((name) => /memory|approve|merge|limit/.test(name)));
  const known = new Set(lm.tools.map(({ name }) => name));
  assert.deepEqual(
    declared.filter((name) => !known.has(name)),
    [],
  );
  assert.match(await textOf('autonomous_list_projects', { status: 'archived' }), /api-migration: archived/);
  assert.equal(await textOf('autonomous_list_questions', {}), 'Nothing waits for the steward.');
  await assert.rejects(textOf('autonomous_job_status', { job: 'none' }), /none/);
}

test('language models of the editor get the tools, and answers of those that only look', toolsAnswer);
