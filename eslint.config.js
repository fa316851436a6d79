import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { citations } from './scripts/lint/citations.js';
import { rooms } from './scripts/lint/rooms.js';
import { tables } from './scripts/lint/tables.js';

const paydesk = { rules: { citations, rooms, tables } };

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
      // TypeScript itself refuses enums here (erasableSyntaxOnly), and this rule asks for the type of every expression.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    // One program for everything outside the console, tests included, so that no type is worked out twice.
    files: ['**/*.ts', '**/*.tsx'],
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
    ignores: [
      '**/*.test.ts',
      'packages/server/src/base/time/clock.ts',
      'packages/server/src/base/time/database-time.ts',
      'packages/server/src/base/ids.ts',
    ],
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
  {
    files: ['packages/server/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    plugins: { paydesk },
    rules: { 'paydesk/rooms': 'error', 'paydesk/tables': 'error' },
  },
  {
    files: ['packages/*/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    plugins: { paydesk },
    rules: { 'paydesk/citations': 'error' },
  },
  {
    // The generated types of the API (api/schema.d.ts) are ignored above; catalogues of texts may be long.
    files: ['packages/*/src/**/*.{ts,tsx}', 'bench/src/**/*.ts'],
    ignores: ['packages/checkout/src/catalogue/**'],
    rules: { 'max-lines': ['error', 350], 'max-lines-per-function': ['error', 80] },
  },
  ...consoleRules,
);
