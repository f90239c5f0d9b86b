/** The names of models: as providers write them, and with the connection that answers them. */
import { type ConnectionName, PROVIDERS, type ProviderName } from '../../shared/model/models.ts';

/** The name without a date or `-latest`. */
export const undatedModel = (model: string): string => model.replace(/-(\d{8}|latest)$/, '');

/** A model by its connection, and by the name that the connection's server knows. */
export interface NamedModel {
  readonly connection: ConnectionName;
  readonly model: string;
}

/**
 * Splits the name of a model: `connection/model`, or a name alone, which `provider` answers. The simulated provider and the editor's
 * models answer every name, whatever it contains.
 */
export function splitModel(name: string, provider: ProviderName): NamedModel {
  const slash = name.indexOf('/');
  if (slash < 1 || provider !== 'anthropic') return { connection: provider, model: name };
  return { connection: name.slice(0, slash), model: name.slice(slash + 1) };
}

/** The name that rows have for a model that a person chose: without the connection, if its provider is meant. */
export function rowName(chosen: string, provider: ProviderName): string {
  const own = `${provider}/`;
  return provider === 'anthropic' && chosen.startsWith(own) ? chosen.slice(own.length) : chosen;
}

/** The name of a model of this connection, as rows have it. */
export const modelOf = (connection: ConnectionName, model: string): string =>
  PROVIDERS.some((name) => name === connection) ? model : `${connection}/${model}`;

/** The model as the server of the connection knows it. */
export const serversName = (connection: ConnectionName, name: string): string =>
  name.startsWith(`${connection}/`) ? name.slice(connection.length + 1) : name;

/** Whether a connection is an entry of the user. */
export const isOwnConnection = (connection: ConnectionName): boolean => !PROVIDERS.some((name) => name === connection);

/** Whether the model that answered is the one that was asked: providers add the date of a snapshot, and gateways the maker or a tag. */
export function isSameModel(asked: string, answered: string): boolean {
  if (answered === asked || undatedModel(answered) === asked) return true;
  return wordsOf(asked) === wordsOf(answered);
}

/**
 * The parts of a name that tell models apart: `anthropic/claude-4.5-sonnet-20250929`, `us.anthropic.claude-sonnet-4-5-20250929-v1:0` and
 * `claude-sonnet-4-5` have the same.
 */
function wordsOf(name: string): string {
  const last = name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/^(?:[a-z-]+\.)?anthropic\.(.*?)(?:-v\d+(?::\d+)?)?$/, '$1')
    .replace(/-\d{4}-\d{2}-\d{2}(?!\d)/, '');
  const words = last.split(/[-_.:@]/).filter((word) => word !== '' && word !== 'latest' && !/^\d{4,}$/.test(word));
  return words.sort().join(' ');
}
