/** What another process sees of this folder: the terminal program, which is a client while the window is the owner. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extension, projectDir } from './extension.ts';

const run = promisify(execFile);

export interface SeenJob {
  readonly id: string;
  readonly status: string;
  readonly features: { readonly completed: number; readonly total: number };
}

export interface SeenApproval {
  readonly id: number;
  readonly kind: string;
  readonly choices: readonly string[];
}

async function ask(...verb: readonly string[]): Promise<unknown> {
  const program = join(extension().extensionPath, 'dist', 'cli.js');
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const args = [program, ...verb, '--json', '--project-dir', projectDir()];
  const { stdout } = await run(process.execPath, args, { env });
  return JSON.parse(stdout);
}

export interface SeenProject {
  readonly name: string;
  readonly status: string;
  readonly goal: string;
}

export interface SeenMessage {
  readonly direction: string;
  readonly text: string;
}

export const seenProjects = async (): Promise<readonly SeenProject[]> =>
  ((await ask('project', 'list', '--all')) as { projects: SeenProject[] }).projects;

export const seenMessages = async (project: string): Promise<readonly SeenMessage[]> =>
  ((await ask('project', 'messages', project)) as { messages: SeenMessage[] }).messages;

export const seenJobs = async (): Promise<readonly SeenJob[]> => ((await ask('jobs')) as { jobs: SeenJob[] }).jobs;

export const seenApprovals = async (): Promise<readonly SeenApproval[]> =>
  ((await ask('approvals')) as { approvals: SeenApproval[] }).approvals;

export async function answerInTerminal(id: number, answer: string): Promise<void> {
  await ask('approve', String(id), '--answer', answer);
}

export const apiToken = async (): Promise<string> => ((await ask('serve', '--print-token')) as { token: string }).token;
