import type { DatabaseLocation } from '../../db/client.ts';
import type { Config } from './config.ts';

export const databaseLocation = (config: Config): DatabaseLocation =>
  config.databaseUrl === null ? { type: 'folder', dir: config.dataDir } : { type: 'postgres', url: config.databaseUrl };
