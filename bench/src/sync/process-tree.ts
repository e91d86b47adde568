/** CPU of programs that cannot be asked: a process and all that it started, read from the system's own books. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second for every program that asks. */
const TICKS_A_SECOND = 100;

interface ProcessEntry {
  parent: number;
  /** Its own, and that of its children that have ended. */
  ticks: number;
}

/** Not a number where the system keeps no such books. */
export function treeCpuSeconds(root: number): number {
  const entries = readEntries();
  if (!entries.has(root)) return Number.NaN;
  const ofTree = (pid: number): number =>
    [...entries].reduce(
      (total, [child, { parent }]) => (parent === pid ? total + ofTree(child) : total),
      entries.get(pid)?.ticks ?? 0,
    );
  return ofTree(root) / TICKS_A_SECOND;
}

function readEntries(): Map<number, ProcessEntry> {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return new Map(pids.flatMap((pid) => entryOf(pid)));
  } catch {
    return new Map();
  }
}

/** Fields of /proc/[pid]/stat, counted after the name: 1 is the parent, 11 to 14 the times. See proc_pid_stat(5). */
function entryOf(pid: string): [number, ProcessEntry][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
    return [[Number(pid), { parent: Number(fields[1]), ticks }]];
  } catch {
    // It ended while we read.
    return [];
  }
}
