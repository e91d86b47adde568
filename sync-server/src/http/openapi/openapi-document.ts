/**
 * Describes the API in OpenAPI 3.1: the contract's procedures and the other endpoints, with security schemes and shared
 * components.
 */
import { type OpenAPI } from '@orpc/contract';
import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import {
  AccountView,
  ConversationSnapshot,
  type Endpoint,
  ENDPOINTS,
  LinkedDevice,
  type ProcedureMeta,
  PushRequest,
  PushRequestV2,
  PushResponse,
  PushResponseV2,
  serverContract,
} from '@parley/contract';
import { listProcedures } from './list-procedures.ts';

const INFO = { title: 'Parley sync server', version: '1.0.0', description: 'Devices, accounts and sync.' };

const COMMON_SCHEMAS = {
  AccountView: { schema: AccountView, strategy: 'output' },
  ConversationSnapshot: { schema: ConversationSnapshot },
  LinkedDevice: { schema: LinkedDevice, strategy: 'output' },
  PushRequest: { schema: PushRequest },
  PushRequestV2: { schema: PushRequestV2 },
  PushResponse: { schema: PushResponse, strategy: 'output' },
  PushResponseV2: { schema: PushResponseV2, strategy: 'output' },
} as const;

/** A list of alternatives, one of which a caller needs; an empty list means a public operation. */
const SECURITY_BY_CALLER: Readonly<Record<ProcedureMeta['caller'], OpenAPI.SecurityRequirementObject[]>> = {
  anyone: [],
  device: [{ deviceToken: [] }],
  admin: [{ deviceToken: [] }, { sessionCookie: [] }],
};

/** `sessionCookie` is the name of the cookie, which depends on the server's address. */
export async function createOpenApiDocument({ sessionCookie }: { sessionCookie: string }): Promise<OpenAPI.Document> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const document = await generator.generate(serverContract, {
    info: INFO,
    commonSchemas: COMMON_SCHEMAS,
    components: {
      securitySchemes: {
        deviceToken: { type: 'http', scheme: 'bearer', description: 'The token that a device received when it joined' },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie,
          description: 'The session of a browser, for requests from the same origin',
        },
      },
    },
  });
  const paths: OpenAPI.PathsObject = { ...document.paths };
  for (const { method, path, caller } of listProcedures()) {
    const operation = operationOf(paths[path], method);
    if (operation !== undefined) operation.security = SECURITY_BY_CALLER[caller];
  }
  for (const endpoint of Object.values(ENDPOINTS)) paths[endpoint.path] = pathItemOf(endpoint);
  return shareErrorResponses({ ...document, paths });
}

const METHODS = ['get', 'post'] as const;

const operationOf = (item: OpenAPI.PathItemObject | undefined, method: string): OpenAPI.OperationObject | undefined =>
  item?.[method.toLowerCase() as (typeof METHODS)[number]];

const pathItemOf = ({ method, summary, request, response }: Endpoint): OpenAPI.PathItemObject => ({
  [method.toLowerCase()]: {
    summary,
    security: SECURITY_BY_CALLER.device,
    ...(request === null ? {} : { requestBody: { content: { [request]: {} } } }),
    responses: {
      [response.status]: {
        description: response.description,
        ...(response.type === null ? {} : { content: { [response.type]: {} } }),
      },
    },
  },
});

/** All procedures declare the same errors, which would be more than nine tenths of the document if each procedure repeated them. */
function shareErrorResponses(document: OpenAPI.Document): OpenAPI.Document {
  const responses: Record<string, OpenAPI.ResponseObject | OpenAPI.ReferenceObject> = {};
  for (const item of Object.values(document.paths ?? {}))
    for (const method of METHODS) {
      const operation = operationOf(item, method);
      for (const [status, response] of Object.entries(operation?.responses ?? {})) {
        if (operation?.responses === undefined || Number(status) < 400) continue;
        const name = `Error${status}`;
        const shared = (responses[name] ??= response);
        if (JSON.stringify(shared) === JSON.stringify(response))
          operation.responses[status] = { $ref: `#/components/responses/${name}` };
      }
    }
  return { ...document, components: { ...document.components, responses } };
}
