/** Measures the CPU time of a process and all its descendants from /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports process times in hundredths of a second. */
const TICKS_PER_SECOND = 100;

interface ProcessEntry {
  parent: number;
  /** Its own ticks and those of its children that have ended. */
  ticks: number;
}

/** Returns NaN on systems without /proc. */
export function processTreeCpuSeconds(root: number): number {
  const entries = readEntries();
  if (!entries.has(root)) return Number.NaN;
  const ofTree = (pid: number): number =>
    [...entries].reduce(
      (total, [child, { parent }]) => (parent === pid ? total + ofTree(child) : total),
      entries.get(pid)?.ticks ?? 0,
    );
  return ofTree(root) / TICKS_PER_SECOND;
}

function readEntries(): Map<number, ProcessEntry> {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return new Map(pids.flatMap((pid) => readEntry(pid)));
  } catch {
    return new Map();
  }
}

/** Fields of /proc/[pid]/stat, counted after the name: 1 is the parent, 11 to 14 the times. See proc_pid_stat(5). */
function readEntry(pid: string): [number, ProcessEntry][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
    return [[Number(pid), { parent: Number(fields[1]), ticks }]];
  } catch {
    // The process ended while it was read.
    return [];
  }
}
