import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import {
  filesOf,
  readRepository,
  readYaml,
  type Resource,
  schemaProblems,
  unknownMembers,
} from '../support/rules/deployment.ts';

/** The manifests of deploy/kubernetes. There is no cluster here: they are checked against the published schemas. */

const folder = ['deploy', 'kubernetes'];

interface Kustomization {
  resources: string[];
  images: { name: string; newName: string; newTag: string }[];
  configMapGenerator: { name: string; literals: string[] }[];
}

const [kustomization] = readYaml<Kustomization>(...folder, 'kustomization.yaml');
const resources = (kustomization?.resources ?? []).flatMap((file) => readYaml<Resource>(...folder, file));

interface Container {
  name: string;
  image: string;
  args: string[];
  ports?: { name: string; containerPort: number }[];
  env: { name: string; value: string }[];
  envFrom?: { configMapRef: { name: string } }[];
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  securityContext: unknown;
  startupProbe?: unknown;
  livenessProbe?: { httpGet: { path: string; port: string } };
  readinessProbe?: { httpGet: { path: string; port: string } };
}

interface Pod {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: [Container];
    securityContext: unknown;
    automountServiceAccountToken: boolean;
    enableServiceLinks: boolean;
    volumes: {
      name: string;
      secret?: { secretName: string };
      persistentVolumeClaim?: { claimName: string };
    }[];
  };
}

interface Selector {
  matchLabels?: Record<string, string>;
}

/** What a restore needs: a component, which is applied only then. */
const restoreFolder = [...folder, 'after-restore'];
const [component] = readYaml<{ kind: string; resources: string[]; replicas: unknown }>(
  ...restoreFolder,
  'kustomization.yaml',
);
const restoreResources = readYaml<Resource>(...restoreFolder, 'pod.yaml');

const ofKind = (kind: string): Resource[] => resources.filter((resource) => resource.kind === kind);
const podsOf = (kind: string): Pod[] => ofKind(kind).map(({ spec }) => spec?.template as Pod);
const pods = [...podsOf('Deployment'), ...podsOf('Job')];
const restorePods = restoreResources.filter(({ kind }) => kind === 'Pod') as unknown as Pod[];

test('kustomize takes every manifest of its folder, with the version of this release', () => {
  const others = ['kustomization.yaml', 'after-restore'];
  const manifests = filesOf(...folder).filter((name) => !others.includes(name));
  expect([...(kustomization?.resources ?? [])].sort()).toEqual(manifests);
  const { version } = JSON.parse(readRepository('package.json')) as { version: string };
  expect(kustomization?.images).toEqual([expect.objectContaining({ name: 'paydesk', newTag: version })]);
});

test('every manifest fits the schema of its kind, and has no member that Kubernetes does not know', async () => {
  expect((await Promise.all(resources.map(schemaProblems))).flat()).toEqual([]);
  expect(resources.flatMap(unknownMembers)).toEqual([]);
  // The checks find mistakes.
  const [web] = ofKind('Deployment');
  if (web === undefined) throw new Error('There is no deployment.');
  expect(await schemaProblems({ ...web, spec: { ...web.spec, replicas: 'two' } })).toHaveLength(1);
  expect(unknownMembers({ ...web, spec: { ...web.spec, replica: 2 } })).toEqual(['Deployment.spec.replica']);
  const misspelt = JSON.parse(JSON.stringify(web).replaceAll('periodSeconds', 'periodSecond')) as Resource;
  expect(unknownMembers(misspelt)).toContain(
    'Deployment.spec.template.spec.containers.livenessProbe.periodSecond',
  );
});

test('there is what the guide promises: web, worker, migration, budgets, service, network policy', () => {
  const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
  expect(names).toEqual([
    'Deployment paydesk-web',
    'Deployment paydesk-worker',
    'Job paydesk-migrate',
    'Namespace paydesk',
    'NetworkPolicy paydesk',
    'PodDisruptionBudget paydesk-web',
    'PodDisruptionBudget paydesk-worker',
    'Service paydesk',
  ]);
});

test('D-1346 for a restore there is a pod with a volume for the letters, and no process', async () => {
  expect(component?.kind).toBe('Component');
  expect(['kustomization.yaml', ...(component?.resources ?? [])]).toEqual(filesOf(...restoreFolder));
  const deployments = ofKind('Deployment').map(({ metadata }) => ({ name: metadata.name, count: 0 }));
  expect(component?.replicas).toEqual(deployments);
  expect((await Promise.all(restoreResources.map(schemaProblems))).flat()).toEqual([]);
  expect(restoreResources.flatMap(unknownMembers)).toEqual([]);
  const claims = restoreResources.filter(({ kind }) => kind === 'PersistentVolumeClaim');
  const [pod] = restorePods;
  // Its own kustomization, which is not this one, gives the image its tag.
  expect(pod?.spec.containers[0].image).toBe(kustomization?.images[0]?.newName);
  const letters = pod?.spec.volumes.find(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined);
  expect(claims.map(({ metadata }) => metadata.name)).toEqual([letters?.persistentVolumeClaim?.claimName]);
  const mount = pod?.spec.containers[0].volumeMounts.find(({ name }) => name === letters?.name);
  expect(mount?.readOnly).toBeUndefined();
  const guide = readRepository('docs', 'operating', 'kubernetes.md');
  expect(guide).toContain(`--letters ${mount?.mountPath ?? ''}`);
  // The network policy lets it reach the provider; the service sends it no requests.
  const [web] = podsOf('Deployment');
  expect(pod?.metadata.labels['app.kubernetes.io/name']).toBe(web?.metadata.labels['app.kubernetes.io/name']);
  expect(pod?.metadata.labels['app.kubernetes.io/component']).toBe('after-restore');
});

test('no pod is root, writes its root file system, or reaches the cluster', () => {
  for (const { spec } of [...pods, ...restorePods]) {
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  }
  expect(pods).toHaveLength(3);
});

test('selectors meet the pods that they are meant for, and ports have names that exist', () => {
  const labelled = pods.map(({ metadata }) => metadata.labels);
  const meets = (wanted: Record<string, string>): number =>
    labelled.filter((labels) => Object.entries(wanted).every(([name, value]) => labels[name] === value))
      .length;
  for (const { kind, spec } of resources) {
    const selector = spec?.selector as Selector | undefined;
    if (selector === undefined) continue;
    expect([kind, meets(selector.matchLabels ?? (selector as Record<string, string>))]).toEqual([kind, 1]);
  }
  const [selected] = ofKind('NetworkPolicy').map(({ spec }) => spec?.podSelector as Selector);
  expect(meets(selected?.matchLabels ?? {})).toBe(3);
  const [web] = podsOf('Deployment');
  expect(web?.spec.containers[0].ports?.map(({ name, containerPort }) => [name, containerPort])).toEqual([
    ['http', 8080],
    ['ops', 9090],
  ]);
});

test('H-24 liveness asks only the process, readiness also the parts that it needs', () => {
  for (const { spec } of podsOf('Deployment')) {
    const [{ startupProbe, livenessProbe, readinessProbe }] = spec.containers;
    expect(startupProbe).toMatchObject({ httpGet: { path: '/healthz', port: 'ops' } });
    expect(livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'ops' });
    expect(readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'ops' });
  }
});

test('the service takes the settings; every secret is a file that its volume brings', () => {
  const dir = mkdtempSync(join(tmpdir(), 'paydesk-kubernetes-'));
  onTestFinished(() => {
    rmSync(dir, { recursive: true });
  });
  const values: Record<string, string> = {
    database_url: 'postgres://paydesk_app:secret@db/paydesk',
    secret_key: randomBytes(32).toString('base64'),
    admin_key: 'a-key-of-more-than-sixteen-characters',
  };
  for (const [name, value] of Object.entries(values)) writeFileSync(join(dir, name), `${value}\n`);
  const settings = Object.fromEntries(
    (kustomization?.configMapGenerator[0]?.literals ?? []).map((line) => line.split(/=(.*)/s).slice(0, 2)),
  ) as Record<string, string>;
  for (const { spec } of [...pods, ...restorePods]) {
    const [container] = spec.containers;
    const [mount] = container.volumeMounts;
    expect(spec.volumes.flatMap(({ name, secret }) => (secret === undefined ? [] : [name]))).toEqual([
      mount?.name,
    ]);
    const env = Object.fromEntries(
      container.env.map(({ name, value }) => [name, value.replace(mount?.mountPath ?? '', dir)]),
    );
    const config = readConfig({ ...(container.envFrom === undefined ? {} : settings), ...env });
    expect(config.database_url).toBe(values.database_url);
  }
});
