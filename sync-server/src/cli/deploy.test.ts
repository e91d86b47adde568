import { readFileSync } from 'node:fs';
import { expect, describe, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { Environment } from '../compose/config/environment.ts';
import { SECRET_VARIABLES } from '../compose/config/secret-variables.ts';
import { measureApp } from '../http/observability/metrics.ts';
import Fastify from 'fastify';
import { openDatabase } from '../db/client.ts';

const read = (name: string): string => readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8');
const KNOWN = new Set([...Object.keys(Environment.shape), ...SECRET_VARIABLES.map((name) => `${name}_FILE`)]);

const Compose = z.object({
  services: z.object({
    server: z.object({ environment: z.record(z.string(), z.string()), read_only: z.literal(true) }),
  }),
});
const Env = z.array(z.object({ name: z.string(), value: z.string().optional() }));
const Claim = z.object({
  kind: z.literal('PersistentVolumeClaim'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({ accessModes: z.array(z.string()) }),
});
const Ingress = z.object({
  kind: z.literal('Ingress'),
  metadata: z.object({ annotations: z.record(z.string(), z.string()) }),
});
const Deployment = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.array(
          z.object({
            env: Env,
            volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
            startupProbe: z.object({ periodSeconds: z.number(), failureThreshold: z.number() }),
            livenessProbe: z.object({ httpGet: z.object({ path: z.literal('/livez') }) }),
            readinessProbe: z.object({ httpGet: z.object({ path: z.literal('/readyz') }) }),
            securityContext: z.object({ readOnlyRootFilesystem: z.literal(true) }),
          }),
        ),
        volumes: z.array(
          z.object({
            name: z.string(),
            persistentVolumeClaim: z.object({ claimName: z.string() }).optional(),
          }),
        ),
      }),
    }),
  }),
});
const Alerts = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), action: z.string() }),
        }),
      ),
    }),
  ),
});
const Dashboard = z.object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })) });

const manifests = (): unknown[] =>
  parseAllDocuments(read('kubernetes/server.yaml')).map((document): unknown => document.toJS());
/** The manifest that a schema describes. */
const findManifest = <Schema extends z.ZodType>(schema: Schema): z.output<Schema> =>
  schema.parse(manifests().find((manifest) => schema.safeParse(manifest).success));

describe('the deployment files', () => {
  it('name only variables that the server reads', () => {
    const compose = Compose.parse(parse(read('compose.yaml')));
    const deployment = findManifest(Deployment);
    const used = [
      ...Object.keys(compose.services.server.environment),
      ...deployment.spec.template.spec.containers.flatMap(({ env }) => env.map(({ name }) => name)),
    ];
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((name) => !KNOWN.has(name))).toEqual([]);
  });

  it('keep videos and recordings on a disk that all pods share', () => {
    const { spec } = findManifest(Deployment).spec.template;
    const [server] = spec.containers;
    const folder = server?.env.find(({ name }) => name === 'MEDIA_DIR')?.value ?? 'no folder';
    const mount = server?.volumeMounts.find(({ mountPath }) => mountPath === folder);
    const volume = spec.volumes.find(({ name }) => name === mount?.name);
    const claim = findManifest(Claim);
    expect(claim.metadata.name).toBe(volume?.persistentVolumeClaim?.claimName);
    expect(claim.spec.accessModes).toEqual(['ReadWriteMany']);
  });

  it('let the pieces of an upload through the ingress', () => {
    const limit = findManifest(Ingress).metadata.annotations['nginx.ingress.kubernetes.io/proxy-body-size'] ?? '';
    expect(limit).toMatch(/^\d+m$/);
    // The panel's pieces have 4 MiB.
    expect(Number.parseInt(limit, 10)).toBeGreaterThan(4);
  });

  it('let calls, speech and an admin’s pieces through nginx', () => {
    const nginx = read('nginx.conf');
    expect(Number(/^ *client_max_body_size (\d+)m;$/m.exec(nginx)?.[1])).toBeGreaterThan(4);
    for (const directive of ['proxy_set_header Upgrade $http_upgrade', 'proxy_http_version 1.1'])
      expect(nginx).toContain(`${directive};`);
    const { annotations } = findManifest(Ingress).metadata;
    for (const buffering of ['proxy-buffering', 'proxy-request-buffering']) {
      expect(nginx).toContain(`${buffering.replaceAll('-', '_')} off;`);
      expect(annotations[`nginx.ingress.kubernetes.io/${buffering}`]).toBe('off');
    }
  });

  it('let Node list the addresses of the machine under systemd', () => {
    // Fastify lists them when it listens on 0.0.0.0; without this family, the server stops with an error.
    expect(read('parley.service')).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m);
  });

  it('limit the connections of an address, because the server cannot behind a proxy', () => {
    const limit = Number(/^ *limit_conn parley (\d+);$/m.exec(read('nginx.conf'))?.[1]);
    expect(limit).toBeGreaterThan(0);
    const { annotations } = findManifest(Ingress).metadata;
    expect(annotations['nginx.ingress.kubernetes.io/limit-connections']).toBe(String(limit));
  });

  it('name an admin, without whom no learner gets in', () => {
    const [server] = findManifest(Deployment).spec.template.spec.containers;
    expect(server?.env.map(({ name }) => name)).toContain('ADMIN_EMAILS');
    expect(Compose.parse(parse(read('compose.yaml'))).services.server.environment).toHaveProperty('ADMIN_EMAILS');
  });

  it('give a long migration ten minutes before the first answer', () => {
    const [server] = findManifest(Deployment).spec.template.spec.containers;
    const { periodSeconds, failureThreshold } = server?.startupProbe ?? { periodSeconds: 0, failureThreshold: 0 };
    expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(600);
  });

  it('start no service of Compose that the server does not use', () => {
    const { services } = parse(read('compose.yaml'));
    const { server, ...others } = services;
    const settings = JSON.stringify(server.environment) + read('compose.yaml').split('name: parley')[0];
    for (const name of Object.keys(others))
      expect(settings).toContain(name === 'database' ? `@${name}/` : `//${name}:`);
  });

  it('show and watch only figures that the server has', { tags: ['slow'] }, async () => {
    const database = await openDatabase({ type: 'memory' }, { migrates: false });
    const app = Fastify();
    // A pool, because PostgreSQL's metrics are part of the dashboard.
    const pool = (): { total: number; idle: number; waiting: number } => ({ total: 0, idle: 0, waiting: 0 });
    const registry = measureApp(app, {
      database: { ...database, pool },
      now: () => new Date(),
      countListeners: () => 0,
    });
    const known = new Set(
      registry.getMetricsAsArray().flatMap(({ name }) => [name, `${name}_count`, `${name}_bucket`, `${name}_sum`]),
    );
    await database.close();
    const alerts = Alerts.parse(parse(read('monitoring/alerts.yaml'))).groups.flatMap(({ rules }) => rules);
    const dashboard = Dashboard.parse(JSON.parse(read('monitoring/dashboard.json')));
    const expressions = [
      ...alerts.map(({ expr }) => expr),
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    const used = expressions.flatMap((expr) => expr.match(/\b(?:parley|process|nodejs)_[a-z0-9_]+/g) ?? []);
    expect(used.length).toBeGreaterThan(15);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });
});
