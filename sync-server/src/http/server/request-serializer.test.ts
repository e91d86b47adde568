import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { serializeRequest } from './request-serializer.ts';

it.each([
  ['/sign-in/link?token=secret', '/sign-in/link?…'],
  ['/preview/secret', '/preview/…'],
  ['/preview/secret/?from=mail', '/preview/…?…'],
  ['//Preview//secret', '/preview/…'],
  ['/blog/preview', '/blog/preview'],
])('logs %s as %s', async (url, logged) => {
  const app = Fastify();
  app.setNotFoundHandler((request, reply) => reply.send(serializeRequest(request)));
  const answer = await app.inject({ url, headers: { host: 'parley.example' } });
  expect(answer.json()).toMatchObject({ method: 'GET', url: logged });
  await app.close();
});
