/** The words of units after a number, and of what “/” divides by after an amount. */

interface Unit {
  one: string;
  many: string;
}

const regular = (one: string): Unit => ({ one, many: `${one}s` });

const perSecond = (one: string): Unit => ({ one: `${one} per second`, many: `${one}s per second` });

const HOUR = regular('hour');
const MINUTE = regular('minute');
const SECOND = regular('second');
const KILOGRAM = regular('kilogram');
const KILOMETRE = regular('kilometre');

/** Upper and lower case matter: “mb” may be anything, and “5G” is a network. */
const UNITS: ReadonlyMap<string, Unit> = new Map(Object.entries({
  kg: KILOGRAM, Kg: KILOGRAM, KG: KILOGRAM, g: regular('gram'), mg: regular('milligram'), km: KILOMETRE, Km: KILOMETRE, KM: KILOMETRE,
  m: regular('metre'), cm: regular('centimetre'), mm: regular('millimetre'), l: regular('liter'), L: regular('liter'),
  ml: regular('milliliter'), h: HOUR, hr: HOUR, hrs: HOUR, min: MINUTE, mins: MINUTE, s: SECOND, sec: SECOND, secs: SECOND,
  ms: regular('millisecond'), GB: regular('gigabyte'), MB: regular('megabyte'), KB: regular('kilobyte'), kB: regular('kilobyte'),
  TB: regular('terabyte'), kW: regular('kilowatt'), kWh: { one: 'kilowatt hour', many: 'kilowatt hours' },
  mph: { one: 'mile per hour', many: 'miles per hour' }, kmh: { one: 'kilometre per hour', many: 'kilometres per hour' },
  lb: regular('pound'), lbs: regular('pound'), oz: regular('ounce'), ft: { one: 'foot', many: 'feet' },
  'm²': regular('square metre'), m2: regular('square metre'), 'km²': regular('square kilometre'), km2: regular('square kilometre'),
  'm³': regular('cubic metre'), m3: regular('cubic metre'), '°': regular('degree'),
  Hz: { one: 'hertz', many: 'hertz' }, kHz: { one: 'kilohertz', many: 'kilohertz' }, MHz: { one: 'megahertz', many: 'megahertz' },
  GHz: { one: 'gigahertz', many: 'gigahertz' }, MW: regular('megawatt'), kcal: regular('kilocalorie'), fps: perSecond('frame'),
  Mbps: perSecond('megabit'), Gbps: perSecond('gigabit'), yr: regular('year'), yrs: regular('year'), wk: regular('week'),
  wks: regular('week'), tbsp: regular('tablespoon'), tsp: regular('teaspoon'), pcs: regular('piece'), sqm: regular('square metre'),
  zł: regular('zloty'), PLN: regular('zloty'), Kč: regular('koruna'), CZK: regular('koruna'), kr: { one: 'krona', many: 'kroner' },
  SEK: { one: 'krona', many: 'kronor' }, NOK: { one: 'krone', many: 'kroner' }, DKK: { one: 'krone', many: 'kroner' },
  Ft: { one: 'forint', many: 'forint' }, HUF: { one: 'forint', many: 'forint' }, RON: { one: 'leu', many: 'lei' },
  CNY: { one: 'yuan', many: 'yuan' }, RMB: { one: 'yuan', many: 'yuan' }, ZAR: { one: 'rand', many: 'rand' },
  MXN: regular('peso'), ARS: regular('peso'), AED: regular('dirham'), SAR: regular('riyal'),
  '°C': { one: 'degree celsius', many: 'degrees celsius' }, '°F': { one: 'degree fahrenheit', many: 'degrees fahrenheit' },
})); // prettier-ignore

export const UNIT_NAMES: readonly string[] = [...UNITS.keys()];

/** Signs that only follow a number without a space: “3.5x”, “50+”. */
const SIGNS: ReadonlyMap<string, Unit> = new Map(Object.entries({
  '%': { one: 'percent', many: 'percent' }, x: regular('time'), X: regular('time'), V: regular('volt'),
  W: regular('watt'), '+': { one: 'plus', many: 'plus' },
})); // prettier-ignore

const PERIOD = /^(?:second|minute|hour|night|day|week|month|quarter|year)$/i;

export const isUnit = (token: string): boolean => UNITS.has(token);

export function sayUnit(token: string, { isOne }: { isOne: boolean }): string[] | null {
  const unit = UNITS.get(token);
  return unit === undefined ? null : (isOne ? unit.one : unit.many).split(' ');
}

/** Units that follow a number without a space. “5m” is five million. */
export function sayNumberEnding(ending: string, { isOne }: { isOne: boolean }): string[] | null {
  if (ending === 'm') return null;
  const sign = SIGNS.get(ending);
  return sign === undefined ? sayUnit(ending, { isOne }) : [isOne ? sign.one : sign.many];
}

export const isPeriod = (token: string): boolean => PERIOD.test(token);
