/**
 * `node scripts/messages/convert-literals.ts FILE …`: moves the English literals of screens into the catalogue, so that
 * a new screen can be written in plain English first. Review the result.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { convertLiterals } from './literals.ts';

for (const file of process.argv.slice(2)) writeFileSync(file, convertLiterals(file, readFileSync(file, 'utf8')));
