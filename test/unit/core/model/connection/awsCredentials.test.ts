import { expect, it } from 'vitest';
import {
  awsCredentials,
  awsService,
  keyInEnvironment,
  secretsIn,
} from '../../../../../src/core/model/connection/awsCredentials.ts';

const KEY = JSON.stringify({ Version: 1, AccessKeyId: 'AKIA1', SecretAccessKey: 's/e+cret', SessionToken: 'token' });

it.each([
  ['bedrock-runtime.us-east-1.amazonaws.com', { service: 'bedrock', region: 'us-east-1' }],
  ['bedrock-mantle.eu-central-1.api.aws', { service: 'bedrock-mantle', region: 'eu-central-1' }],
  ['bedrock-runtime-fips.us-gov-west-1.amazonaws.com', { service: 'bedrock', region: 'us-gov-west-1' }],
  ['vpce-1.bedrock-runtime.us-east-1.vpce.amazonaws.com', { service: 'bedrock', region: 'us-east-1' }],
  ['s3.us-east-1.amazonaws.com', null],
  ['bedrock-runtime.us-east-1.amazonaws.com.example.org', null],
  ['llm.example.com', null],
])('%s is signed for %o', (host, service) => {
  expect(awsService(host)).toEqual(service);
});

it.each(['', 'AKIA1:secret', '{"AccessKeyId":"AKIA1"}', '{"AccessKeyId":"A","SecretAccessKey":"with a\\nbreak"}'])(
  '%j are no credentials',
  (text) => {
    expect(awsCredentials(text)).toBeNull();
  },
);

it('the parts of credentials are secrets, and the identity of the key is none', () => {
  expect(secretsIn('sigv4', KEY)).toEqual(['s/e+cret', 'token']);
  expect(secretsIn('bearer', 'abc')).toEqual(['abc']);
});

it('credentials are read of the variables that the command line of AWS reads', () => {
  const env = { AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 's/e+cret', AWS_SESSION_TOKEN: 'token' };
  const key = keyInEnvironment('sigv4', null, env);
  expect(awsCredentials(key ?? '')).toEqual({
    AccessKeyId: 'AKIA1',
    SecretAccessKey: 's/e+cret',
    SessionToken: 'token',
  });
  expect(keyInEnvironment('sigv4', null, { ...env, AWS_SECRET_ACCESS_KEY: undefined })).toBeUndefined();
  expect(keyInEnvironment('sigv4', null, { ...env, AWS_SECRET_ACCESS_KEY: '' })).toBeUndefined();
  expect(keyInEnvironment('bearer', 'TEAM_KEY', { TEAM_KEY: 'abc' })).toBe('abc');
});
