#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { main } from '../src/cli.js';

const { code, out, error } = main(process.argv.slice(2), (path) => readFileSync(path, 'utf8'));
process.stdout.write(out);
process.stderr.write(error);
process.exitCode = code;
