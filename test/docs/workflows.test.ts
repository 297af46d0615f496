import { existsSync, readdirSync, readFileSync } from "node:fs";
import test from "ava";
import { parse } from "yaml";

const root = new URL("../../", import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), "utf8");
const folder = ".github/workflows";

interface Job {
  needs?: string | string[];
  uses?: string;
  steps?: { run?: string; uses?: string }[];
  permissions?: Record<string, string>;
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}
const workflows = new Map(
  readdirSync(new URL(folder, root)).map((file) => [file, parse(read(`${folder}/${file}`)) as Workflow]),
);
const jobsOf = (file: string): Record<string, Job> => workflows.get(file)?.jobs ?? {};
const commandsOf = ({ steps = [] }: Job): string => steps.map(({ run = "" }) => run).join("\n");

test("workflows run existing scripts and files, and have only read permission unless a job requires more", (t) => {
  const { scripts } = JSON.parse(read("package.json"));
  for (const [file, { jobs, permissions }] of workflows) {
    t.deepEqual(permissions, { contents: "read" }, file);
    for (const [name, job] of Object.entries(jobs)) {
      for (const [, script = ""] of commandsOf(job).matchAll(/npm run (?:--silent )?([\w-]+)/g))
        t.true(script in scripts, `${file}, ${name}: ${script}`);
      for (const [path] of commandsOf(job).matchAll(/\b(?:docs|deploy|test|scripts)\/[\w./-]+/g))
        t.true(existsSync(new URL(path, root)), `${file}, ${name}: ${path}`);
      if (job.uses) t.true(existsSync(new URL(job.uses, root)), job.uses);
    }
  }
});

/** Returns the jobs that must pass before this one begins. */
function before(jobs: Record<string, Job>, name: string): string[] {
  const needs = [jobs[name]?.needs ?? []].flat();
  return [...needs, ...needs.flatMap((one) => before(jobs, one))];
}

test("a release is published only from a tag, after its signature and tests have been checked", (t) => {
  t.deepEqual(Object.keys(workflows.get("release.yml")?.on ?? {}), ["push"]);
  const jobs = jobsOf("release.yml");
  t.is(jobs.test?.uses, "./.github/workflows/ci.yml");
  t.is(jobsOf("ci.yml").image?.uses, "./.github/workflows/image.yml");
  t.regex(commandsOf(jobs.tag ?? {}), /\.verification\.verified\)" = true/);
  const publishing = Object.keys(jobs).filter((name) => jobs[name]?.permissions !== undefined);
  t.deepEqual(publishing, ["image", "npm", "pypi", "publish", "site"]);
  for (const name of publishing)
    for (const one of ["tag", "test"]) t.true(before(jobs, name).includes(one), `${name}: ${one}`);
});

test("a release's notes are its section of the changelog", (t) => {
  const command = commandsOf(jobsOf("release.yml").publish ?? {});
  const [, program = ""] = /awk -v heading="## \$version" '(.*)' CHANGELOG\.md/.exec(command) ?? [];
  t.regex(program, /^index\(\$0, heading\) == 1/);
  t.regex(read("CHANGELOG.md"), /^## \d+\.\d+\.\d+ \(/m);
});

test("issue forms have a required field, and no field twice", (t) => {
  for (const name of ["fault", "wish"]) {
    const { body } = parse(read(`.github/ISSUE_TEMPLATE/${name}.yml`));
    const ids = body.flatMap(({ id }: { id?: string }) => id ?? []);
    t.is(new Set(ids).size, ids.length);
    t.true(body.some(({ validations }: { validations?: { required?: boolean } }) => validations?.required));
  }
});
