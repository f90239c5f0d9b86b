/** What the measured extension leaves for the probe, and the probe for the benchmark. */

export interface Profile {
  /** Time that stacks of ours took, sampled. */
  readonly oursMs: number;
  /** The longest run of samples in a row that were ours, or what was collected after them. */
  readonly longestMs: number;
  /** Functions under which most of that run was. */
  readonly where: string;
}

export interface Activation {
  /** Until the modules of the entry are there: reading, compiling, evaluating. */
  readonly loadMs: number;
  /** Body of `activate()`. */
  readonly activateMs: number;
  readonly profile: Profile;
}

export interface Bench {
  readonly activation: Activation;
  profile(): Promise<() => Promise<Profile>>;
  /** Callbacks of timers that the extension set, so far. */
  wakeUps(): number;
}

declare global {
  var autonomousBench: Bench | undefined;
}

export interface Measured {
  readonly activation: Activation;
  readonly quiet: { readonly longestMs: number };
  readonly demo: {
    readonly seconds: number;
    readonly status: string;
    readonly longestMs: number;
    readonly profile: Profile;
  };
  readonly idle: { readonly wakeUpsPerSecond: number };
}
