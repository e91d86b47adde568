import { expect, it } from 'vitest';
import { parseAddresses } from './parse-addresses.ts';

it.each([
  ['ada@example.com', [{ email: 'ada@example.com', firstName: null, lastName: null }]],
  ['Ada Lovelace <ADA@Example.com>', [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }]],
  ['"Lovelace, Ada" <ada@example.com>', [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }]],
  ['Lovelace, Ada <ada@example.com>', [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }]],
  ['Ada Lovelace, PhD <ada@example.com>', [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }]],
  ['"Lovelace, Ada, Ph.D." <ada@example.com>', [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }]],
  ['Martin King, Jr. <mk@example.com>', [{ email: 'mk@example.com', firstName: 'Martin', lastName: 'King' }]],
  ['ada@example.com;Ada;King Lovelace', [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'King Lovelace' }]],
  ['Ada\tLovelace\tada@example.com', [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }]],
  [
    'a@example.com, b@example.com',
    [
      { email: 'a@example.com', firstName: null, lastName: null },
      { email: 'b@example.com', firstName: null, lastName: null },
    ],
  ],
  ["o'brien@example.com", [{ email: "o'brien@example.com", firstName: null, lastName: null }]],
  [
    "Aoife O'Brien <aoife.o'brien@example.com>",
    [{ email: "aoife.o'brien@example.com", firstName: 'Aoife', lastName: "O'Brien" }],
  ],
  ["'ada@example.com'", [{ email: 'ada@example.com', firstName: null, lastName: null }]],
  ['Sales, Ltd <sales@example.com>', [{ email: 'sales@example.com', firstName: 'Sales', lastName: null }]],
  ['Ada Lovelace, PhD <ada@example.com>', [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }]],
  ['Ada Lovelace, M.A. <ada@example.com>', [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }]],
  [
    'García Márquez, Gabriel José <g@example.com>',
    [{ email: 'g@example.com', firstName: 'Gabriel José', lastName: 'García Márquez' }],
  ],
  [
    'Kowalczyk, Marta <marta@example.com>; Novak, Jan <jan@example.com>;',
    [
      { email: 'marta@example.com', firstName: 'Marta', lastName: 'Kowalczyk' },
      { email: 'jan@example.com', firstName: 'Jan', lastName: 'Novak' },
    ],
  ],
  ['MA, Yun <ma@example.com>', [{ email: 'ma@example.com', firstName: 'Yun', lastName: 'MA' }]],
  ['Nguyen, Ba <ba@example.com>', [{ email: 'ba@example.com', firstName: 'Ba', lastName: 'Nguyen' }]],
  ['Lovelace, Ada, PhD <ada@example.com>', [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }]],
  [
    'Ada Lovelace <ada@example.com>, "Novak, Jan" <jan@example.com>, eve@example.com',
    [
      { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
      { email: 'jan@example.com', firstName: 'Jan', lastName: 'Novak' },
      { email: 'eve@example.com', firstName: null, lastName: null },
    ],
  ],
  ['Ada;Lovelace;<ada@example.com>', [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }]],
  ['"Novak; Jan" <jan@example.com>', [{ email: 'jan@example.com', firstName: 'Novak', lastName: 'Jan' }]],
  ['מרים كريم <m@example.com>', [{ email: 'm@example.com', firstName: 'מרים', lastName: 'كريم' }]],
])('reads %j', (text, invitations) => {
  expect(parseAddresses(text)).toEqual({ invitations, problems: [], repeated: 0 });
});

it('skips the heading, the mark of UTF-8 and empty lines of a file', () => {
  const { invitations, problems } = parseAddresses('\uFEFFE-mail,First name\r\n\r\na@example.com,Ana\r\n');
  expect(invitations).toEqual([{ email: 'a@example.com', firstName: 'Ana', lastName: null }]);
  expect(problems).toEqual([]);
});

it('names the lines that it cannot read and counts repeated addresses', () => {
  const { invitations, problems, repeated } = parseAddresses('a@example.com\nnot an address\nA@example.com\nb@example');
  expect(invitations.map(({ email }) => email)).toEqual(['a@example.com']);
  expect(problems).toEqual([
    { line: 2, text: 'not an address' },
    { line: 4, text: 'b@example' },
  ]);
  expect(repeated).toBe(1);
});

it('shortens a name of 10,000 letters', () => {
  const [invitation] = parseAddresses(`${'x'.repeat(10_000)} <a@example.com>`).invitations;
  expect(invitation?.firstName).toHaveLength(200);
  const [cut] = parseAddresses(`${'x'.repeat(199)}🎧 <a@example.com>`).invitations;
  expect(cut?.firstName?.isWellFormed()).toBe(true);
});

it('takes an address that is repeated in quotation marks once', () => {
  expect(parseAddresses("'ada@example.com' <ada@example.com>")).toEqual({
    invitations: [{ email: 'ada@example.com', firstName: null, lastName: null }],
    problems: [],
    repeated: 1,
  });
});

it('reads a line of a million letters at once', () => {
  const startedAt = performance.now();
  const { problems } = parseAddresses('x'.repeat(1_000_000));
  expect(problems).toHaveLength(1);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

it.each([
  ['Nachname;Vorname;Klasse;E-Mail', 'Müller;Eva;7b;eva@example.com'],
  ['First name,Last name,Class,E-mail', 'Eva,Müller,7b,eva@example.com'],
  ['E-mail\tClass\tSurname\tGiven name', 'eva@example.com\t7b\tMüller\tEva'],
  ['"Apellidos","Nombre","Correo electrónico"', '"Müller","Eva","eva@example.com"'],
  ['メールアドレス,姓,名', 'eva@example.com,Müller,Eva'],
])('reads the names from the columns that the first line names: %s', (header, row) => {
  expect(parseAddresses(`${header}\r\n${row}\r\n`)).toEqual({
    invitations: [{ email: 'eva@example.com', firstName: 'Eva', lastName: 'Müller' }],
    problems: [],
    repeated: 0,
  });
});

it('reads an empty cell and a comma in quotation marks', () => {
  const rows = 'Last name,First name,E-mail\n,Eva,eva@example.com\n"Smith, Jr.",Bob,bob@example.com\ncarl@example.com';
  expect(parseAddresses(rows).invitations).toEqual([
    { email: 'eva@example.com', firstName: 'Eva', lastName: null },
    { email: 'bob@example.com', firstName: 'Bob', lastName: 'Smith, Jr.' },
    { email: 'carl@example.com', firstName: null, lastName: null },
  ]);
});

it.each([
  ['Nombre;Correo', 'Eva Müller;eva@example.com'],
  ['Nome,E-mail,Turma', 'Eva Müller,eva@example.com,7b'],
  ['E-mail;Name;Last login', 'eva@example.com;Eva Müller;2026-11-02'],
  ['氏名,クラス,メール', 'Eva Müller,7b,eva@example.com'],
  ['Full name,First lesson,E-mail', 'Eva Müller,2026-11-02,eva@example.com'],
  ['Apellidos y nombre;Curso;Correo', '"Müller, Eva";7b;eva@example.com'],
  ['Nachname;Vorname;Mail', 'Müller;Eva;eva@example.com'],
  ['Name;Vorname;E-Mail', 'Müller;Eva;eva@example.com'],
  ['Nombre;Apellidos;Correo', 'Eva;Müller;eva@example.com'],
  ['Vor- und Nachname;E-Mail;Klasse', 'Eva Müller;eva@example.com;7b'],
  ['Last;First;Address', 'Müller;Eva;eva@example.com'],
])('reads the whole name from the column that has it, and no other column: %s', (header, row) => {
  expect(parseAddresses(`${header}\n${row}`)).toEqual({
    invitations: [{ email: 'eva@example.com', firstName: 'Eva', lastName: 'Müller' }],
    problems: [],
    repeated: 0,
  });
});

it.each([
  [
    'First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Recovery Email',
    'Eva,Müller,eva@example.com,****,eva@home.example',
  ],
  [
    'Display name,First name,Last name,Proxy addresses,User principal name',
    'Eva Müller,Eva,Müller,SMTP:eva@example.com+smtp:eva@old.example,eva@example.com',
  ],
  ['Name;Manager e-mail;E-mail', 'Eva Müller;boss@example.com;eva@example.com'],
  ['Name;E-Mail-Adresse;E-Mail des Vorgesetzten', 'Eva Müller;eva@example.com;boss@example.com'],
  ['Nombre;Correo del responsable;Dirección de correo electrónico', 'Eva Müller;boss@example.com;eva@example.com'],
  ['Name;Manager;E-mail;User principal name', 'Eva Müller;boss@example.com;;eva@example.com'],
])('invites one person a row, although another column has an address: %s', (header, row) => {
  expect(parseAddresses(`${header}\n${row}`)).toEqual({
    invitations: [{ email: 'eva@example.com', firstName: 'Eva', lastName: 'Müller' }],
    problems: [],
    repeated: 0,
  });
});

it.each(['Eva Müller;boss@example.com;', 'Eva Müller;boss@example.com', 'Eva Müller;boss@example.com;none yet'])(
  'invites no one for a row whose address is missing: %s',
  (row) => {
    expect(parseAddresses(`Name;Manager e-mail;E-mail\n${row}`)).toEqual({
      invitations: [],
      problems: [{ line: 2, text: row }],
      repeated: 0,
    });
  },
);
