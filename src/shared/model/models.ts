/** Providers of models, connections to model servers, and the payees of their calls. */
/** A provider answers the models of a job that are named without a connection. */
export const PROVIDERS = ['anthropic', 'simulated', 'vscode-lm'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** The payee of an agent that brings its own account. */
export const OWN_ACCOUNT = 'own-account';

/** The name of a connection: a provider, or an entry of the user. */
export type ConnectionName = string;

/** The payee of a call: a connection, or `own-account`. */
export type Payee = string;
