/** The switch of the HTTP API. What it does is loaded when the setting is on. */
import * as vscode from 'vscode';
import { setting } from '../settings/read.ts';
import type { HostContext } from '../window/context.ts';
import { registerCommands, report } from '../window/report.ts';
import type { World } from '../window/world.ts';
import type { ApiSwitch } from './apiSwitch.ts';

export function registerApi({ engine, log }: HostContext, { handle, load }: World): vscode.Disposable {
  let loaded: Promise<ApiSwitch> | null = null;
  const api = (): Promise<ApiSwitch> => {
    loaded ??= import('./apiSwitch.ts').then((module) => new module.ApiSwitch(handle, load, log));
    return loaded;
  };
  const heed = (): void => {
    if (loaded !== null || setting.api().enabled) {
      api().then(
        (one) => one.heed(),
        (thrown: unknown) => report(log, thrown),
      );
    }
  };
  heed();
  return vscode.Disposable.from(
    registerCommands(log, {
      'autonomous.copyApiToken': async () => (await api()).copyToken(),
      'autonomous.copyApiAddress': async () => (await api()).copyAddress(),
    }),
    engine.onDidChange(heed),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('autonomous.api') && heed()),
    { dispose: () => void loaded?.then((one) => one.close()) },
  );
}
