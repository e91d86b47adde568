import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseStartOptions } from './start-options.ts';

it('honours the documented DATA_DIR and PORT of the server', () => {
  const { server } = parseStartOptions([], { PARLEY_DATA_DIR: '/learner', DATA_DIR: '/server', PORT: '4999' });
  expect(server).toEqual({ dataDir: '/server', port: 4999 });
});

it('keeps the server’s folder in the learner’s and picks a port when nothing is configured', () => {
  const { server, dataDir } = parseStartOptions([], { PARLEY_DATA_DIR: '/learner', DATA_DIR: '', PORT: '' });
  expect(server).toEqual({ dataDir: join(dataDir, 'server'), port: undefined });
});

it('explains which ports are valid', () => {
  expect(() => parseStartOptions([], { PORT: 'http' })).toThrow('PORT takes a number from 0 to 65535.');
});
