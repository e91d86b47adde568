/** Sends text and times that PostgreSQL cannot store to every procedure of the contract. */
import { serverContract } from '@parley/contract';
import { traverseContractProcedures } from '@orpc/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { sampleInputs } from '../../../test-kit/sample-input.ts';
import { setUpSchool } from '../../../test-kit/school/school-fixture.ts';

interface Property {
  type?: string;
  format?: string;
  anyOf?: Property[];
}
interface Procedure {
  path: string;
  properties: Record<string, Property>;
}

const admins: Procedure[] = [];
traverseContractProcedures({ router: serverContract, path: [] }, ({ contract }) => {
  const { inputSchema, route, meta } = contract['~orpc'];
  if ((meta as { caller: string }).caller !== 'admin' || inputSchema === undefined) return;
  const { properties = {} } = z.toJSONSchema(inputSchema as z.ZodType, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Procedure['properties'];
  };
  admins.push({ path: route.path ?? '', properties });
});

const TEXTS = ['a\0b', '\ud800'];
const TIMES = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];
const valuesOf = ({ type, format, anyOf = [] }: Property): string[] =>
  type === 'string' ? (format === 'date-time' ? TIMES : TEXTS) : anyOf.flatMap(valuesOf);

describe('a value that the database cannot store', () => {
  const scene = setUpSchool(openMemoryDatabase);

  it('breaks no procedure of an admin', async () => {
    const inputs = sampleInputs({ now: scene.server.now(), ids: { userId: scene.adminId } });
    const broken: string[] = [];
    let sent = 0;
    for (const { path, properties } of admins) {
      for (const [name, property] of Object.entries(properties)) {
        for (const value of valuesOf(property)) {
          const input = { ...(inputs.get(`POST ${path}`) as object), [name]: value };
          const { status } = await scene.ask(path.replace('/v1/admin/', ''), input);
          sent += 1;
          if (status >= 500) broken.push(`${path} ${name} ${JSON.stringify(value)}`);
        }
      }
    }
    expect(sent).toBeGreaterThan(100);
    expect(broken).toEqual([]);
  });
});
