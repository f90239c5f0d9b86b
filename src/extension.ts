/** Composition root of the editor's extension. Activation only registers: the engine is loaded at first use. */

import * as vscode from 'vscode';
import { systemClock } from './adapters/clock.ts';
import type { Workspaces } from './engine/workspace/workspace.ts';
import { startHost } from './vscode/activate.ts';
import { showOsNotifications } from './vscode/approval/osNotices.ts';
import { registerReview } from './vscode/approval/review/review.ts';
import { registerStewardship } from './vscode/approval/stewardship.ts';
import { registerBrief } from './vscode/job/brief/brief.ts';
import { showResults } from './vscode/job/results.ts';
import { registerNotes } from './vscode/note/notes.ts';
import type { AutonomousApi } from './vscode/task/autonomous.d.ts';
import { stepActions } from './vscode/task/stepActions.ts';
import { tickWalkthrough } from './vscode/workspace/walkthroughTicks.ts';

declare const AUTONOMOUS_VERSION: string;

/** The editor allows five seconds when a window closes. */
const CLOSE_MS = 4_000;

const clock = systemClock();
const actions = stepActions();
let close: (() => Promise<void>) | null = null;

async function loadEngine(extension: vscode.Uri): Promise<Workspaces> {
  const file = (name: string): vscode.Uri => vscode.Uri.joinPath(extension, 'dist', name);
  const { editorWorkspaces } = await import('./app/workspace/editorWorkspaces.ts');
  return editorWorkspaces({
    clock,
    version: AUTONOMOUS_VERSION,
    workerScript: new URL(file('worker.js').toString()),
    wasmFile: file('sql-wasm.wasm').fsPath,
    appRoot: vscode.env.appRoot,
    stepActions: actions,
    providers: async () => {
      const { languageModelProvider } = await import('./vscode/model/provider.ts');
      return { 'vscode-lm': languageModelProvider(vscode) };
    },
  });
}

/** The returned API is for other extensions. */
export function activate(context: vscode.ExtensionContext): AutonomousApi {
  let engine: Promise<Workspaces> | null = null;
  const load = (): Promise<Workspaces> => {
    engine ??= loadEngine(context.extensionUri);
    return engine;
  };
  ({ close } = startHost(context, { clock, load, actions }, [
    registerStewardship,
    registerReview,
    registerBrief,
    (host) => registerNotes(host, clock),
    tickWalkthrough,
    showResults,
    (host) => showOsNotifications(host, load),
  ]));
  return actions.api;
}

/** Everything is already durable; this only lets the workers stop in order. */
export async function deactivate(): Promise<void> {
  await Promise.race([close?.(), clock.sleep(CLOSE_MS)]);
}
