// The files of deploy: the chart with several sets of values, the manifests that are made from it, and what every way to run an image
// has in common. What other programs say of them is `npm run prove -- deploy`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const root = join(import.meta.dirname, "..", "/");
const read = (file: string) => readFileSync(join(root, "deploy", file), "utf8");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const { renderChart, kubernetesFiles } = await import(new URL("../scripts/chart.mjs", import.meta.url).href);

interface Manifest {
  kind: string;
  metadata: { name: string };
  // biome-ignore lint/suspicious/noExplicitAny: manifests are read by path.
  [field: string]: any;
}

function render(options: object = {}): Manifest[] {
  const files: Record<string, string> = renderChart(join(root, "deploy/helm"), options);
  const texts = Object.entries(files).filter(([name]) => name.endsWith(".yaml"));
  return texts.flatMap(([, text]) => documentsOf(text));
}

function documentsOf(text: string): Manifest[] {
  const documents = parseAllDocuments(text);
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  return documents.map((document) => document.toJS()).filter((each) => each !== null);
}

const named = (manifests: Manifest[]) => manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
const deployments = (manifests: Manifest[]) => manifests.filter(({ kind }) => kind === "Deployment");

describe("the chart", () => {
  it("makes the manifests of deploy/kubernetes with its own values", () => {
    const files: Record<string, string> = kubernetesFiles(root);
    for (const [file, text] of Object.entries(files)) expect(readFileSync(root + file, "utf8"), file).toBe(text);
    const listed = parse(read("kubernetes/kustomization.yaml")).resources.filter(
      (name: string) => name !== "namespace.yaml",
    );
    expect(Object.keys(files).map((file) => file.split("/").at(-1))).toEqual([...listed].sort());
    expect(named(render())).toEqual(named(Object.values(files).flatMap(documentsOf)));
  });

  it("runs servers as a user that is not root, on a root file system that is read-only, with three probes", () => {
    for (const { spec } of deployments(render())) {
      const { securityContext, containers, volumes, terminationGracePeriodSeconds } = spec.template.spec;
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
      expect(terminationGracePeriodSeconds).toBeGreaterThan(25);
      const [container] = containers;
      expect(container.securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      const paths = [container.startupProbe, container.livenessProbe, container.readinessProbe];
      expect(paths.map(({ httpGet }) => httpGet.path)).toEqual([
        "/health/liveness",
        "/health/liveness",
        "/health/readiness",
      ]);
      expect(volumes.map(({ name }: { name: string }) => name)).toEqual(["data", "tmp"]);
      expect(container.image).toBe(`trawl:${version}`);
    }
  });

  it("names everything after its release and selects its own pods alone", () => {
    const manifests = render({ release: "pages", values: { secret: { TRAWL_SECRET: "x", TRAWL_API_KEYS: "a:1" } } });
    expect(named(manifests).filter((name) => !name.includes(" pages"))).toEqual([]);
    for (const { spec } of deployments(manifests)) {
      expect(spec.selector.matchLabels.app).toBe("pages");
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    }
    const service = manifests.find(({ kind }) => kind === "Service");
    expect(service?.["spec"].selector).toEqual({ app: "pages", role: "api" });
  });

  it("makes a secret of the values, and takes one that is there without", () => {
    const secret = { TRAWL_SECRET: 'with "quotes": and # more', TRAWL_API_KEYS: "team:key" };
    const own = render({ values: { secret } });
    expect(own.find(({ kind }) => kind === "Secret")?.["stringData"]).toEqual(secret);
    const given = render({ values: { existingSecret: "mine" } });
    expect(named(given)).not.toContain("Secret trawl");
    const [container] = deployments(given)[0]?.["spec"].template.spec.containers ?? [];
    expect(container.envFrom).toEqual([{ configMapRef: { name: "trawl" } }, { secretRef: { name: "mine" } }]);
  });

  it("leaves out what is switched off and adds what is named", () => {
    const values = {
      image: { repository: "registry.example/trawl", tag: "9.9.9" },
      imagePullSecrets: [{ name: "pull" }],
      config: { LOG_LEVEL: "debug", MAX_CONNECTIONS: 12 },
      browser: { replicas: 0 },
      ingress: { className: "nginx", host: "data.example", tlsSecret: "data-tls" },
      autoscaling: { enabled: false },
      networkPolicy: { privateNetworks: ["10.20.0.0/16", "10.30.0.0/16"] },
    };
    const manifests = render({ values });
    expect(named(manifests).filter((name) => /browser|Autoscaler/.test(name))).toEqual([]);
    expect(manifests.find(({ kind }) => kind === "ConfigMap")?.["data"]).toMatchObject({
      S3_BUCKET: "trawl",
      LOG_LEVEL: "debug",
      MAX_CONNECTIONS: "12",
    });
    expect(manifests.find(({ kind }) => kind === "Ingress")?.["spec"]).toMatchObject({
      ingressClassName: "nginx",
      tls: [{ hosts: ["data.example"], secretName: "data-tls" }],
      rules: [{ host: "data.example" }],
    });
    const pod = deployments(manifests)[0]?.["spec"].template.spec;
    expect(pod.imagePullSecrets).toEqual([{ name: "pull" }]);
    expect(pod.containers[0].image).toBe("registry.example/trawl:9.9.9");
    const policy = manifests.find(({ kind, metadata }) => kind === "NetworkPolicy" && metadata.name === "trawl");
    const blocks = policy?.["spec"].egress.flatMap(({ to = [] }: { to?: { ipBlock?: { cidr: string } }[] }) =>
      to.flatMap(({ ipBlock }) => ipBlock?.cidr ?? []),
    );
    expect(blocks).toEqual(["0.0.0.0/0", "10.20.0.0/16", "10.30.0.0/16"]);
    const closed = render({ values: { networkPolicy: { enabled: false }, ingress: { enabled: false } } });
    expect(named(closed).filter((name) => /NetworkPolicy|Ingress/.test(name))).toEqual([]);
  });

  it("has the version of the package", () => {
    expect(parse(read("helm/Chart.yaml"))).toMatchObject({ version, appVersion: version });
  });
});

describe("containers", () => {
  it("of every compose file run on a root file system that is read-only and stop in time", () => {
    const files = ["compose/one.yml", "compose/many.yml", "platforms/dokploy/docker-compose.yml"];
    for (const file of [...files, "platforms/coolify.yaml", "platforms/umbrel/docker-compose.yml"]) {
      const { services } = parse(read(file), { merge: true });
      const own = Object.entries<Record<string, unknown>>(services).filter(([, { image }]) =>
        /^trawl/.test(`${image}`),
      );
      expect(own.length, file).toBeGreaterThan(0);
      for (const [name, service] of own)
        expect(service, `${file} ${name}`).toMatchObject({
          read_only: true,
          tmpfs: ["/tmp"],
          stop_grace_period: "40s",
        });
    }
  });

  it("of one machine have PostgreSQL, a store for blobs and SearXNG as profiles, with settings that an example names", () => {
    const { services } = parse(read("compose/one.yml"));
    const profiles = Object.entries<{ profiles?: string[] }>(services).map(([name, each]) => [
      name,
      each.profiles?.[0],
    ]);
    expect(Object.fromEntries(profiles)).toEqual({
      trawl: undefined,
      postgres: "postgres",
      blobs: "s3",
      bucket: "s3",
      searxng: "searxng",
    });
    const example = new Map(
      read("compose/one.env.example")
        .split("\n")
        .filter((line) => /^[A-Z]/.test(line))
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );
    expect(example.get("COMPOSE_PROFILES")).toBe("postgres,s3,searxng");
    const used = [...read("compose/one.yml").matchAll(/\$\{(\w+):-\}/g)].map(([, name]) => name as string);
    expect([...example.keys(), "PUBLIC_URL"].filter((name) => name !== "COMPOSE_PROFILES").sort()).toEqual(
      [...new Set(used)].sort(),
    );
    expect(new URL(example.get("DATABASE_URL") as string).hostname).toBe("postgres");
    expect(new URL(example.get("S3_ENDPOINT") as string).hostname).toBe("blobs");
    expect(new URL(example.get("SEARXNG_ENDPOINT") as string).hostname).toBe("searxng");
    expect(parse(read("compose/searxng.yml")).search.formats).toContain("json");
  });

  it("of each platform run this version with its volume and its port", () => {
    const files = readdirSync(join(root, "deploy/platforms"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const texts = new Map<string, string>();
    for (const file of files) {
      const platform = file.slice(join(root, "deploy/platforms/").length).split(/[/.]/)[0] as string;
      texts.set(platform, `${texts.get(platform) ?? ""}${readFileSync(file, "utf8")}`);
    }
    expect([...texts.keys()].sort()).toEqual(["caprover", "coolify", "dokploy", "umbrel", "unraid"]);
    for (const [platform, text] of texts) {
      expect(text, platform).toContain(version);
      expect(text, platform).toContain("3002");
      expect(text, platform).toContain("/data");
      expect(text, platform).toContain("TRAWL_API_KEYS");
    }
    const variables = parse(read("platforms/caprover.yml")).caproverOneClickApp.variables;
    const used = new Set(read("platforms/caprover.yml").match(/\$\$cap_\w+/g));
    for (const own of ["$$cap_appname", "$$cap_root_domain", "$$cap_gen_random_hex"]) used.delete(own);
    expect(variables.map(({ id }: { id: string }) => id).sort()).toEqual([...used].sort());
  });

  it("of the image run as a user that is not root, with a health check and a first process that hands signals on", () => {
    const file = read("docker/Dockerfile");
    expect(file).toMatch(/^USER 10001:10001$/m);
    expect(file).toMatch(/^HEALTHCHECK /m);
    expect(file).toMatch(/^ENTRYPOINT \["\/usr\/bin\/tini"/m);
    expect(file).toMatch(/^VOLUME \["\/data"\]$/m);
  });
});
