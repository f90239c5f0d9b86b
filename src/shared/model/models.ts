/** Providers of models, and the payees of their calls. */

export const PROVIDERS = ['anthropic', 'simulated', 'vscode-lm'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** The payee of a call: a provider, or the account that an agent brings with it. */
export type Payee = ProviderName | 'own-account';
