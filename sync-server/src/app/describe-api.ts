/** `GET /openapi.json`: the server's calls, as the contract has them, and what is served beside them. */
import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { REALTIME_PATH, serverContract } from '@parley/contract';
import type { FastifyInstance } from 'fastify';
import { realtimePathItem } from './realtime-route.ts';
import { speechPathItems } from './speech-route.ts';
import { STREAM_PATH, streamPathItem } from './stream-route.ts';

const INFO = { title: 'Parley sync server', version: '1.0.0', description: 'Devices, accounts and sync.' };

export async function addApiDescription(app: FastifyInstance): Promise<void> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const document = await generator.generate(serverContract, { info: INFO });
  const described = {
    ...document,
    paths: { ...document.paths, [STREAM_PATH]: streamPathItem, ...speechPathItems, [REALTIME_PATH]: realtimePathItem },
  };
  app.get('/openapi.json', () => described);
}
