/**
 * Sends traces of requests to an OpenTelemetry collector when the standard variables name one (`OTEL_EXPORTER_OTLP_ENDPOINT`). Spans hold
 * routes and statuses, never bodies or headers.
 */
import type { FastifyPluginCallback } from 'fastify';

export interface Tracing {
  /** Register this before any route. */
  plugin: FastifyPluginCallback;
  /** Sends what is buffered. */
  close: () => Promise<void>;
}

const SERVICE_NAME = 'parley-server';

/** Returns null, without loading anything, when no collector is configured. */
export async function startTracing(environment: Record<string, string | undefined>): Promise<Tracing | null> {
  const endpoint =
    environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? environment['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  if (endpoint === '' || environment['OTEL_SDK_DISABLED'] === 'true') return null;
  const [{ FastifyOtelInstrumentation }, { NodeSDK }] = await Promise.all([
    import('@fastify/otel'),
    import('@opentelemetry/sdk-node'),
  ]);
  const fastify = new FastifyOtelInstrumentation({
    registerOnInitialization: false,
    // Addresses may contain secrets, such as the links in e-mails, so a span names the route instead.
    requestHook: (span, request) => void span.setAttribute('url.path', request.routeOptions.url ?? 'unknown'),
  });
  const sdk = new NodeSDK({
    serviceName: environment['OTEL_SERVICE_NAME'] ?? SERVICE_NAME,
    instrumentations: [fastify],
  });
  sdk.start();
  return { plugin: fastify.plugin(), close: () => sdk.shutdown() };
}
