/** The API key of this user: in the editor's secret storage, or in the environment. Never in settings. */
import type * as vscode from 'vscode';
import { messageOf } from '../../../shared/errors.ts';

const NAME = 'autonomous.anthropicApiKey';

const nameOf = (connection: string): string => `autonomous.key.${connection}`;

export interface ApiKey {
  /** As last read. */
  readonly value: string | null;
  readonly source: 'stored' | 'environment' | 'none';
  read(): Promise<void>;
  /** The stored key of a connection of the user; undefined if there is none. */
  ofConnection(name: string): Promise<string | undefined>;
  /** Stores or, with null, deletes the key of a connection. Rejects as `store`. */
  storeFor(name: string, key: string | null): Promise<void>;
  /** null deletes the key. Rejects if the keyring of this machine does not work. */
  store(key: string | null): Promise<void>;
}

export function apiKey({ secrets, subscriptions }: vscode.ExtensionContext, log: vscode.LogOutputChannel): ApiKey {
  let stored: string | null = null;
  const fromEnvironment = (): string | null => process.env['ANTHROPIC_API_KEY'] || null;
  const read = async (): Promise<void> => {
    try {
      stored = (await secrets.get(NAME)) ?? null;
    } catch (thrown) {
      log.warn(`the key could not be read: ${messageOf(thrown)}`);
    }
  };
  subscriptions.push(
    secrets.onDidChange(({ key }) => {
      if (key === NAME) void read();
    }),
  );
  return {
    get value() {
      return stored ?? fromEnvironment();
    },
    get source() {
      if (stored !== null) return 'stored';
      return fromEnvironment() === null ? 'none' : 'environment';
    },
    read,
    ofConnection: async (name) => {
      try {
        return await secrets.get(nameOf(name));
      } catch (thrown) {
        log.warn(`the key of ${name} could not be read: ${messageOf(thrown)}`);
        return undefined;
      }
    },
    storeFor: async (name, key) => {
      if (key === null) await secrets.delete(nameOf(name));
      else await secrets.store(nameOf(name), key);
    },
    store: async (key) => {
      if (key === null) await secrets.delete(NAME);
      else await secrets.store(NAME, key);
      stored = key;
    },
  };
}
