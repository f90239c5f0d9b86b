/** Plans as files of their scheme. Saving the newest plan of a job edits the plan; older versions are read-only. */
import * as vscode from 'vscode';
import type { HostContext } from '../../window/context.ts';
import { type PlanFile, planFileOf, planUri } from '../../words/planUri.ts';

const texts = () => import('./planText.ts');

export interface PlanFiles extends vscode.FileSystemProvider, vscode.Disposable {
  /** Call after a save: the content now contains the ids of its new parts, so that the editor must read it again. */
  saved(uri: vscode.Uri): void;
}

/** More than any window saves one version: saves count within a stamp. */
const SAVES = 10_000;

export function planFiles(context: HostContext): PlanFiles {
  const saves = new Map<string, number>();
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const versions = new Map<string, number>();
  const watching = context.engine.onDidChange(() => {
    for (const [jobId, version] of versions) {
      const now = stamp(context, { jobId, version: null });
      if (now === version) continue;
      versions.set(jobId, now);
      changed.fire([{ type: vscode.FileChangeType.Changed, uri: planUri(jobId) }]);
    }
  });
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  return {
    onDidChangeFile: changed.event,
    watch: (uri) => {
      const file = planFileOf(uri);
      if (file?.version === null) versions.set(file.jobId, stamp(context, file));
      return new vscode.Disposable(() => {
        if (file !== null) versions.delete(file.jobId);
      });
    },
    stat: async (uri) => {
      const file = fileAt(uri);
      const size = new TextEncoder().encode(await (await texts()).textOf(context, file)).length;
      const stat: vscode.FileStat = {
        type: vscode.FileType.File,
        ctime: 0,
        mtime: stamp(context, file) * SAVES + (saves.get(uri.path) ?? 0),
        size,
      };
      return file.version === null ? stat : { ...stat, permissions: vscode.FilePermission.Readonly };
    },
    readFile: async (uri) => new TextEncoder().encode(await (await texts()).textOf(context, fileAt(uri))),
    writeFile: async (uri, content) => (await texts()).save(context, uri, content),
    saved: (uri) => {
      saves.set(uri.path, (saves.get(uri.path) ?? 0) + 1);
      changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    },
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
    dispose: () => {
      watching.dispose();
      changed.dispose();
    },
  };
}

function fileAt(uri: vscode.Uri): PlanFile {
  const file = planFileOf(uri);
  if (file === null) throw vscode.FileSystemError.FileNotFound(uri);
  return file;
}

/** Rises with the plan's version and its acceptance; the editor compares it to know whether the file is a newer one. */
function stamp(context: HostContext, { jobId, version }: PlanFile): number {
  if (version !== null) return version;
  const job = context.engine.state.jobs.get(jobId);
  return job === undefined ? 0 : 2 * job.plan_version + (job.plan_accepted ? 1 : 0);
}
