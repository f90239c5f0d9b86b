/** Who answers model calls, and who is paid for them. */

export const PROVIDERS = ['anthropic', 'simulated', 'vscode-lm'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** Who is paid for a call: a provider, or the account of an agent that insists on its own. */
export type Payee = ProviderName | 'own-account';
