/** What all acts of the year share. */
import type { Agenda } from './agenda.ts';
import type { Chance } from './chance.ts';
import type { Findings } from './findings.ts';
import type { Life } from './life.ts';
import { type Told, toldOf } from './plan-table.ts';
import type { Stage, YearNode } from './stage.ts';

export interface Year {
  stage: Stage;
  agenda: Agenda;
  chance: Chance;
  findings: Findings;
  lives: readonly Life[];
  lifeByEmail: ReadonlyMap<string, Life>;
  /** Whether mail servers are away. */
  isMailAway: boolean;
}

export const nowMs = ({ stage }: Year): number => stage.twin.now().getTime();

/** Either may be asked at any time. */
export const someNode = ({ stage, chance }: Year): YearNode => stage.nodes[chance.inPercent(50) ? 0 : 1];

export const truthOf = ({ stage }: Year, { customer }: Life): Told | null =>
  customer === null ? null : toldOf(stage.twin, customer);

/** While word is under way: what the server has just looked at, it may believe from here on. */
export function noteBelieved(year: Year, life: Life): void {
  life.believed?.push(truthOf(year, life));
}

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

/** Null when it is refused for a reason that is to be expected; any other failure is written down. */
export async function attempt<Value>(
  { findings }: Year,
  life: Life,
  { what, mayFail = [] }: { what: string; mayFail?: readonly string[] },
  act: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await act();
  } catch (error) {
    findings.expect(
      mayFail.includes(codeOf(error) ?? ''),
      life,
      () => `${what} failed: ${codeOf(error) ?? String(error)}`,
    );
    return null;
  }
}
