import { ENDPOINTS } from '@parley/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../compose/config/read-config.ts';
import { connectAiServices } from '../../compose/connect-ai-services.ts';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { startServer, type TestServer } from '../../../test-kit/server.ts';
import { createOpenApiDocument } from './openapi-document.ts';
import { listProcedures } from './list-procedures.ts';

const Operation = z.object({
  security: z.array(z.record(z.string(), z.array(z.string()))),
  responses: z.record(z.string(), z.unknown()),
});
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(z.string(), z.unknown()),
    securitySchemes: z.record(z.string(), z.object({ type: z.string() }).loose()),
  }),
});

let server: TestServer;
let document: z.infer<typeof Document>;
const text = async (): Promise<string> =>
  JSON.stringify(await createOpenApiDocument({ sessionCookie: '__Host-parley' }));
beforeAll(async () => {
  const ai = await connectAiServices(readConfig({ OPENAI_API_KEY: 'sk-test' }));
  server = await startServer(await openMemoryDatabase(), {
    ai: { ...ai, dailyLimitUsd: null, isMetered: false },
  });
  document = Document.parse(JSON.parse(await text()));
});
afterAll(() => server.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

it('describes every procedure and every endpoint, and nothing else', () => {
  const declared = [...listProcedures(), ...Object.values(ENDPOINTS)];
  expect(operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`)).toEqual(
    expect.arrayContaining(declared.map(({ path, method }) => `${method} ${path}`)),
  );
  expect(operations()).toHaveLength(declared.length);
});

it('names the device token and the session cookie as security schemes', () => {
  expect(document.components.securitySchemes).toMatchObject({
    deviceToken: { type: 'http', scheme: 'bearer' },
    sessionCookie: { type: 'apiKey', in: 'cookie', name: '__Host-parley' },
  });
  expect(document.paths['/v1/sync/push']?.['post']?.security).toEqual([{ deviceToken: [] }]);
  expect(document.paths['/v1/admin/users']?.['post']?.security).toEqual([{ deviceToken: [] }, { sessionCookie: [] }]);
  expect(document.paths['/v1/devices/register']?.['post']?.security).toEqual([]);
});

it('states for every operation how the server responds without credentials', async () => {
  for (const { path, method, operation } of operations()) {
    const { status } = await server.send({ method: method === 'get' ? 'GET' : 'POST', url: path });
    expect([path, status === 401], `${method} ${path}: ${status}`).toEqual([path, operation.security.length > 0]);
    expect(status).not.toBe(404);
  }
});

it('resolves each reference to a component', async () => {
  const references = [...(await text()).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(100);
  for (const [, section = '', name = ''] of references) expect(document.components).toHaveProperty([section, name]);
  expect(Object.keys(document.components.schemas)).toContain('PushRequest');
});

it('does not repeat the errors in every operation', async () => {
  // If the errors were repeated, a hundred operations would take a megabyte.
  expect((await text()).length / operations().length).toBeLessThan(7_000);
});
