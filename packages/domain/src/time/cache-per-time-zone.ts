/**
 * Keeps what is created for a time zone, because creating a formatter is slow. The names come from devices, and one zone has thousands of
 * them (any letter may be a capital), so only the names that were used last are kept.
 */
const MAX_TIME_ZONES = 256;

export function cachePerTimeZone<Value>(create: (timeZone: string) => Value): (timeZone: string) => Value {
  // A map keeps the order in which keys were set, so the first is the one that was used least recently.
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
