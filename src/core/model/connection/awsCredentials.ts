/** Credentials of AWS as a key: the JSON that `aws configure export-credentials` prints. */
import { z } from 'zod';
import type { Auth } from '../../../shared/model/connections.ts';
import { parseJson } from '../../text/json.ts';

const word = z.string().regex(/^[\x21-\x7e]+$/);

const Credentials = z.looseObject({ AccessKeyId: word, SecretAccessKey: word, SessionToken: word.nullish() });
export type AwsCredentials = z.infer<typeof Credentials>;

/** Null for a text of another form. */
export const awsCredentials = (key: string): AwsCredentials | null =>
  Credentials.safeParse(parseJson(key)).data ?? null;

/** The parts of a key that are secrets. */
export function secretsIn(auth: Auth, key: string): readonly string[] {
  if (auth !== 'sigv4') return [key];
  const credentials = awsCredentials(key);
  if (credentials === null) return [key];
  const { SecretAccessKey, SessionToken } = credentials;
  return SessionToken == null ? [SecretAccessKey] : [SecretAccessKey, SessionToken];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The key that the environment holds; undefined or empty if it holds none. */
export function keyInEnvironment(auth: Auth, keyEnv: string | null, env: Environment): string | undefined {
  if (auth !== 'sigv4') return keyEnv === null ? undefined : env[keyEnv];
  const { AWS_ACCESS_KEY_ID: AccessKeyId, AWS_SECRET_ACCESS_KEY: SecretAccessKey, AWS_SESSION_TOKEN } = env;
  if (!AccessKeyId || !SecretAccessKey) return undefined;
  return JSON.stringify({
    AccessKeyId,
    SecretAccessKey,
    ...(AWS_SESSION_TOKEN ? { SessionToken: AWS_SESSION_TOKEN } : {}),
  });
}

/** A server of Amazon Bedrock, as signatures name it. */
export interface AwsService {
  readonly service: 'bedrock' | 'bedrock-mantle';
  readonly region: string;
}

const HOST =
  /(?:^|\.)(bedrock-runtime|bedrock-mantle)(?:-fips)?\.([a-z]{2}(?:-[a-z]+)+-\d)\.(?:vpce\.)?(?:amazonaws\.com(?:\.cn)?|api\.aws)$/;

/** Null for a host that is not Amazon's. */
export function awsService(host: string): AwsService | null {
  const [, name, region] = HOST.exec(host) ?? [];
  if (region === undefined) return null;
  return { service: name === 'bedrock-mantle' ? name : 'bedrock', region };
}
