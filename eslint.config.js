import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/**
 * The server's modules from left to right: a module may import from modules on its left and from itself,
 * never from its right (docs/ARCHITECTURE.md). Names in one group share a rank and do not know one another.
 */
const ranks = [
  ['base'],
  ['embedded'],
  ['http'],
  ['ledger'],
  ['currencies'],
  ['merchants', 'identity', 'requests'],
  ['oauth'],
  ['channels'],
  ['payments'],
  ['notifications'],
  ['collection', 'catalog'],
  ['checkout'],
  ['admin', 'console'],
  ['jobs'],
];
const modules = ranks.flat();

/** What a module may not import: everything to its right, its neighbours of the same rank, others' SQL, http/. */
function boundariesOf(module) {
  const rank = ranks.findIndex((group) => group.includes(module));
  const forbidden = ranks
    .slice(rank)
    .flat()
    .filter((name) => name !== module);
  const dir = `packages/server/src/${module}`;
  const patterns = [
    ...forbidden.map((name) => ({
      group: [`../${name}/*`, `../../${name}/*`],
      message: `${module}/ may not know ${name}/ (dependency rule, docs/ARCHITECTURE.md).`,
    })),
    { group: ['../*/*.sql.ts'], message: 'SQL is private to its module: import a noun or a verb instead.' },
    { group: ['../app.ts', '../main.ts'], message: 'Only main.ts knows app.ts, and nothing knows main.ts.' },
  ];
  const http = { group: ['../http/*'], message: 'Only routes.ts and app.ts know http/.' };
  const withHttp = module === 'http' ? patterns : [...patterns, http];
  return [
    {
      files: [`${dir}/**/*.ts`],
      ignores: [`${dir}/**/*routes.ts`, `${dir}/**/*.test.ts`],
      rules: { 'no-restricted-imports': ['error', { patterns: withHttp }] },
    },
    {
      files: [`${dir}/**/*routes.ts`],
      rules: { 'no-restricted-imports': ['error', { patterns }] },
    },
  ];
}

/**
 * The console: its calls go through `api/`, its tables through `components/list/data-table`, so that sign-in, errors,
 * paging and empty lists are the same on every screen.
 */
const consoleRules = [
  {
    files: ['packages/console/src/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
    languageOptions: { globals: globals.browser },
    rules: {
      // Handlers in JSX return what they like.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'What people wrote is text.',
        },
      ],
    },
  },
  {
    files: ['packages/console/src/**/*.{ts,tsx}'],
    ignores: ['packages/console/src/api/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'Call the service through api/client.ts.' },
        { name: 'XMLHttpRequest', message: 'Call the service through api/client.ts.' },
      ],
    },
  },
  {
    files: ['packages/console/src/**/*.{ts,tsx}'],
    ignores: ['packages/console/src/components/**', 'packages/console/src/api/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: '@tanstack/react-table', message: 'Tables are components/list/data-table.tsx.' },
            { name: '@tanstack/react-virtual', message: 'Tables are components/list/data-table.tsx.' },
            { name: 'openapi-fetch', message: 'Call the service through api/client.ts.' },
            {
              name: '@mantine/core',
              importNames: ['Table'],
              message: 'Tables are components/list/data-table.tsx.',
            },
          ],
        },
      ],
    },
  },
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      'packages/console/src/api/schema.d.ts',
      '**/node_modules/**',
      '**/coverage/**',
      'data/**',
    ],
  },
  js.configs.recommended,
  { languageOptions: { globals: globals.node } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    // The packages build without their tests; one project of its own holds those.
    files: ['**/*.test.ts', '**/*.test.tsx', 'packages/*/test/**/*.ts', 'bench/**/*.ts', '*.config.ts'],
    ignores: ['packages/console/**'],
    languageOptions: {
      parserOptions: {
        projectService: false,
        project: './tsconfig.tests.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
  },
  {
    files: ['packages/server/src/**/*.ts'],
    ignores: ['**/*.test.ts', 'packages/server/src/base/time/clock.ts', 'packages/server/src/base/ids.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
          message: 'Time is an argument: take the clock.',
        },
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Time is an argument.',
        },
        {
          selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
          message: 'Chance is an argument: take the id source.',
        },
      ],
    },
  },
  ...modules.flatMap(boundariesOf),
  ...consoleRules,
);
