/**
 * Caches what is created per time zone, because creating a formatter is slow. The names come from devices, and one zone
 * has thousands of spellings (any letter may be upper or lower case), so only the most recently used names are kept.
 */
const MAX_TIME_ZONES = 256;

export function cachePerTimeZone<Value>(create: (timeZone: string) => Value): (timeZone: string) => Value {
  // A map keeps the order in which keys were set, so the first key is the least recently used.
  const valueByName = new Map<string, { value: Value }>();
  return (timeZone) => {
    const entry = valueByName.get(timeZone) ?? { value: create(timeZone) };
    valueByName.delete(timeZone);
    valueByName.set(timeZone, entry);
    const [leastRecent] = valueByName.keys();
    if (valueByName.size > MAX_TIME_ZONES && leastRecent !== undefined) valueByName.delete(leastRecent);
    return entry.value;
  };
}
