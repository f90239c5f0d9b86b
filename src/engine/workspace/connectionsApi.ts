/** What terminal and editor ask about the user's connections to model servers. */
import type { PriceChange } from '../../core/money/price/listedModels.ts';
import type { Diagnostic } from '../../shared/diagnostic.ts';
import type { AddedConnection, ListedConnections, ListedModel, NewConnection } from '../../shared/model/connections.ts';
import type { Terms } from '../../shared/model/terms.ts';

export interface RefreshedModels {
  /** How many the server lists. */
  readonly models: number;
  readonly changes: readonly PriceChange[];
}

/** The stored key of a connection; undefined if there is none. */
export type StoredKey = (connection: string) => Promise<string | undefined>;

export interface ConnectionsApi {
  /** `storedKey`: of the editor. */
  list(storedKey?: StoredKey): Promise<ListedConnections>;
  /**
   * Adds a connection, or changes what is given of one that exists; another preset replaces it. Throws INVALID_INPUT for one that could
   * not be used, and if its entry or the file has a fault.
   */
  add(name: string, connection: NewConnection): Promise<AddedConnection>;
  /** Throws NOT_FOUND. */
  remove(name: string): Promise<void>;
  /**
   * Checks a connection, or one model of it: key, server, price, context. Calls no model, so nothing is billed. Throws NOT_FOUND for an
   * unknown connection.
   */
  check(name: string, storedKey?: StoredKey): Promise<readonly Diagnostic[]>;
  /** The models that the server lists, or else those of which a price or a context is known. Throws NOT_FOUND, KEY_…, MODEL_UNAVAILABLE. */
  models(name: string, storedKey?: StoredKey): Promise<readonly ListedModel[]>;
  /**
   * Reads again what the server of a connection states of its models. Prices that fell are kept as they were unless `lower`. Throws
   * NOT_FOUND, also if the server lists none, KEY_…, MODEL_UNAVAILABLE.
   */
  refresh(name: string, lower: boolean): Promise<RefreshedModels>;
  /** What is known of a connection's models, by the names that its server knows. Empty for an unknown connection. */
  terms(name: string): Promise<Terms>;
}
