/** Serves the HTTP API of a workspace, and reads its token. */
import { basename, join } from 'node:path';
import { nodeFiles } from '../../adapters/files/files.ts';
import { type ApiServing, serveApi } from '../../adapters/http/serveApi.ts';
import { loadToken } from '../../adapters/http/token.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import { EngineTaskService, type EngineTaskServicePorts } from '../../engine/task/ask/engineTaskService.ts';

export interface ServeOptions extends EngineTaskServicePorts {
  readonly version: string;
  readonly port: number;
  readonly origins: readonly string[];
}

/** Path of the token: one file for each workspace, named as its folder of jobs. */
const tokenFile = ({ configDir, jobsDir }: WorkspacePaths): string =>
  join(configDir, 'api', `${basename(jobsDir)}.token`);

export async function apiToken(places: WorkspacePaths): Promise<{ readonly token: string; readonly file: string }> {
  const file = tokenFile(places);
  return { token: await loadToken(file, nodeFiles), file };
}

/** Throws INVALID_INPUT if the port is in use. */
export async function serveTasks(places: WorkspacePaths, options: ServeOptions): Promise<ApiServing> {
  const service = new EngineTaskService(options);
  const api = await serveApi({ ...options, service, token: (await apiToken(places)).token });
  return {
    port: api.port,
    url: api.url,
    events: api.events,
    get listeners() {
      return api.listeners;
    },
    close: async () => {
      service.close();
      await api.close();
    },
  };
}
