/** The environment, parsed once. Production refuses a default that is only safe in development. */
import { z } from 'zod';

const Environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(4810),
  DATA_DIR: z.string().min(1).default('data/server'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Set behind a balancer, so that limits count learners and not the balancer. */
  TRUST_PROXY: z.stringbool().default(false),
});

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string | null;
  logLevel: string;
  trustProxy: boolean;
  isProduction: boolean;
}

export function readConfig(environment: Record<string, string | undefined>): Config {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success) throw new Error(`The environment is not usable:\n${z.prettifyError(parsed.error)}`);
  const { NODE_ENV, HOST, PORT, DATA_DIR, DATABASE_URL, LOG_LEVEL, TRUST_PROXY } = parsed.data;
  if (NODE_ENV === 'production' && DATABASE_URL === undefined)
    throw new Error('In production the server needs PostgreSQL: set DATABASE_URL (postgres://…).');
  return {
    host: HOST,
    port: PORT,
    dataDir: DATA_DIR,
    databaseUrl: DATABASE_URL ?? null,
    logLevel: LOG_LEVEL,
    trustProxy: TRUST_PROXY,
    isProduction: NODE_ENV === 'production',
  };
}
