//! The deployment files must stay hardened: each protective line of the systemd unit and of the manifests is
//! required, and if one is removed, these tests fail. Whether the files work is tried by hand (docs/SCALING.md).

use std::path::Path;

fn dist(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("dist")
        .join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("no {path:?}"))
}

/// The wanted lines that a text lacks. Blanks around them and comments after them are ignored.
fn missing(text: &str, wanted: &[&str]) -> Vec<String> {
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line.split(" #").next().unwrap_or_default().trim())
        .collect();
    let is_missing = |line: &&&str| !lines.contains(*line);
    wanted
        .iter()
        .filter(is_missing)
        .map(ToString::to_string)
        .collect()
}

/// Required lines of the systemd unit.
const UNIT: &[&str] = &[
    "StartLimitIntervalSec=0",
    "DynamicUser=yes",
    "StateDirectoryMode=0700",
    "Restart=on-failure",
    "MemoryMax=1G",
    "MemorySwapMax=0",
    "TasksMax=512",
    "CapabilityBoundingSet=",
    "LockPersonality=yes",
    "MemoryDenyWriteExecute=yes",
    "NoNewPrivileges=yes",
    "PrivateDevices=yes",
    "ProcSubset=pid",
    "PrivateTmp=yes",
    "ProtectClock=yes",
    "ProtectControlGroups=yes",
    "ProtectHome=yes",
    "ProtectHostname=yes",
    "ProtectKernelLogs=yes",
    "ProtectKernelModules=yes",
    "ProtectKernelTunables=yes",
    "ProtectProc=invisible",
    "ProtectSystem=strict",
    "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
    "RestrictNamespaces=yes",
    "RestrictRealtime=yes",
    "RestrictSUIDSGID=yes",
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service",
    "SystemCallFilter=~@privileged @resources",
    "SystemCallFilter=setpriority",
    "SystemCallErrorNumber=EPERM",
    "UMask=0077",
];

/// Required lines of every pod in the manifests.
const POD: &[&str] = &[
    "automountServiceAccountToken: false",
    "runAsNonRoot: true",
    "seccompProfile: { type: RuntimeDefault }",
    "allowPrivilegeEscalation: false",
    "readOnlyRootFilesystem: true",
    "capabilities: { drop: [\"ALL\"] }",
];

/// Required lines of every container in the compose file.
const HARDENED: &[&str] = &[
    "read_only: true",
    "cap_drop: [ALL]",
    "security_opt: [\"no-new-privileges:true\"]",
];

const MANIFESTS: [&str; 3] = ["touchmove", "postgres", "nats"];

fn unit_faults(unit: &str) -> Vec<String> {
    let mut faults = missing(unit, UNIT);
    // An exception must come after the rule it relaxes, or it has no effect.
    let filters: Vec<_> = unit
        .lines()
        .filter_map(|line| line.strip_prefix("SystemCallFilter="))
        .collect();
    if filters != ["@system-service", "~@privileged @resources", "setpriority"] {
        faults.push(format!("system calls: {filters:?}"));
    }
    faults
}

/// The faults of a manifest document with pods.
fn pod_faults(document: &str) -> Vec<String> {
    let mut faults = missing(document, POD);
    let limits = document
        .lines()
        .find(|line| line.trim().starts_with("limits:"));
    for kind in ["cpu:", "memory:", "ephemeral-storage:"] {
        if !limits.is_some_and(|limits| limits.contains(kind)) {
            faults.push(format!("no limit of {kind}"));
        }
    }
    for volume in document.lines().filter(|line| line.contains("emptyDir:")) {
        if !volume.contains("sizeLimit:") {
            faults.push(format!("without end: {volume}"));
        }
    }
    faults
}

/// The faults of the network policies.
fn policy_faults(policies: &str) -> Vec<String> {
    let documents: Vec<&str> = policies.split("\n---\n").collect();
    let mut faults = Vec::new();
    for (name, selector) in [
        ("deny-all", "podSelector: {}"),
        ("touchmove", "matchLabels: { app: touchmove }"),
        ("postgres", "matchLabels: { app: postgres }"),
        ("nats", "matchLabels: { app: nats }"),
    ] {
        let name = format!("  name: {name}\n");
        let Some(document) = documents.iter().find(|document| document.contains(&name)) else {
            faults.push(format!("no policy {name}"));
            continue;
        };
        let wanted = [
            "kind: NetworkPolicy",
            selector,
            "policyTypes: [Ingress, Egress]",
        ];
        faults.extend(missing(document, &wanted));
        // Every rule names its sources.
        let froms = document.matches("- from:").count();
        let selectors = document.matches("podSelector:").count()
            + document.matches("namespaceSelector:").count();
        if document.contains("ipBlock") || document.contains("- {}") || selectors <= froms {
            faults.push(format!("{name} lets everybody in"));
        }
    }
    faults
}

/// The faults of the compose file.
fn compose_faults(compose: &str) -> Vec<String> {
    let mut faults = missing(compose, HARDENED);
    let named =
        |line: &&str| line.starts_with("  ") && !line.starts_with("   ") && line.ends_with(':');
    let services = compose.split("\nservices:\n").nth(1).unwrap_or_default();
    let services = services.split("\nnetworks:\n").next().unwrap_or_default();
    let node = compose.split("\nx-node:").nth(1).unwrap_or_default();
    let node = node.split("\nservices:\n").next().unwrap_or_default();
    let mut bodies = vec![("node", node.to_owned())];
    for line in services.lines() {
        match line {
            line if named(&line) => bodies.push((line.trim(), String::new())),
            line => bodies
                .last_mut()
                .expect("a service")
                .1
                .push_str(&format!("{line}\n")),
        }
    }
    assert_eq!(bodies.len(), 4, "{bodies:?}");
    for (name, body) in bodies {
        let wanted = [
            "<<: *hardened",
            "mem_limit:",
            "cpus:",
            "pids_limit:",
            "networks:",
        ];
        for line in wanted {
            // The proxy lists its networks on lines of their own.
            if !body.contains(line) {
                faults.push(format!("{name} has no {line}"));
            }
        }
    }
    faults.extend(missing(
        compose,
        &[
            "internal: true",
            "user: \"999:999\"",
            "user: \"65534:65534\"",
        ],
    ));
    faults
}

/// The faults of a file's images: each needs a version or a digest.
fn image_faults(text: &str) -> Vec<String> {
    let images = text.lines().filter_map(|line| {
        let line = line.split(" #").next()?.trim();
        line.strip_prefix("image: ")
            .or_else(|| line.strip_prefix("FROM "))
    });
    let is_pinned = |image: &&str| {
        let image = image.split(' ').next().unwrap_or_default();
        let tag = image
            .rsplit_once('/')
            .map_or(image, |(_, name)| name)
            .split_once(':');
        let is_version = tag.is_some_and(|(_, tag)| {
            tag.starts_with(|c: char| c.is_ascii_digit()) && tag.contains('.')
        });
        image.contains("@sha256:") || is_version
    };
    images
        .filter(|image| !is_pinned(image))
        .map(ToOwned::to_owned)
        .collect()
}

/// The faults of the trusted proxies: whoever is among them can forge client addresses.
fn proxy_faults(text: &str) -> Vec<String> {
    let is_wide = |line: &&str| {
        line.contains("TRUSTED_PROXY") && line.contains('/') && !line.trim().starts_with('#')
    };
    text.lines()
        .filter(is_wide)
        .map(ToOwned::to_owned)
        .collect()
}

/// The proxies must remove the `Forwarded` header: if one passes on what a client says there, beside the
/// `X-Forwarded-For` that it writes itself, the client's address is unknown.
const PROXIES: [(&str, &str); 4] = [
    ("dist/nodes/Caddyfile", "header_up -Forwarded"),
    ("dist/kubernetes/touchmove.yaml", "Forwarded: \"\""),
    ("docs/SERVER.md", "header_up -Forwarded"),
    ("docs/SERVER.md", "proxy_set_header Forwarded \"\";"),
];

const NOTHING: Vec<String> = Vec::new();

#[test]
fn the_unit_is_closed_and_limited() {
    assert_eq!(unit_faults(&dist("server/touchmove.service")), NOTHING);
}

#[test]
fn every_pod_is_closed_and_limited() {
    for name in MANIFESTS {
        let manifest = dist(&format!("kubernetes/{name}.yaml"));
        let pods: Vec<_> = manifest
            .split("\n---\n")
            .filter(|document| document.contains("containers:"))
            .collect();
        assert_eq!(pods.len(), 1, "{name}");
        assert_eq!(pod_faults(pods[0]), NOTHING, "{name}");
        assert_eq!(image_faults(&manifest), NOTHING, "{name}");
        assert_eq!(proxy_faults(&manifest), NOTHING, "{name}");
    }
}

#[test]
fn the_network_lets_in_who_is_named() {
    assert_eq!(
        policy_faults(&dist("kubernetes/network-policies.yaml")),
        NOTHING
    );
    let nats = "authorization { user: touchmove, password: $NATS_PASSWORD, timeout: 2 }";
    for file in ["kubernetes/nats.yaml", "nodes/nats.conf"] {
        assert_eq!(missing(&dist(file), &[nats]), NOTHING, "{file}");
    }
}

#[test]
fn every_container_of_the_compose_file_is_closed_and_limited() {
    let compose = dist("compose.yaml");
    assert_eq!(compose_faults(&compose), NOTHING);
    let others = compose.replace("  image: touchmove\n", "");
    assert_eq!(image_faults(&others), NOTHING);
    assert_eq!(proxy_faults(&compose), NOTHING);
    assert!(!compose.contains("\n    ports: [\"4222") && !compose.contains("\n    ports: [\"5432"));
}

#[test]
fn every_proxy_removes_the_header_that_it_does_not_write() {
    for (file, line) in PROXIES {
        let text = dist(&format!("../{file}"));
        assert_eq!(missing(&text, &[line]), NOTHING, "{file}");
    }
    // Every proxy in the files is listed.
    let set_up = |text: &str| {
        let begins = ["reverse_proxy ", "proxy_pass ", "kind: Ingress"];
        let lines = text.lines().map(str::trim);
        lines
            .filter(|line| begins.iter().any(|begin| line.starts_with(begin)))
            .count()
    };
    let mut files: Vec<&str> = PROXIES.iter().map(|(file, _)| *file).collect();
    files.dedup();
    for file in files {
        let removed = PROXIES.iter().filter(|(other, _)| *other == file).count();
        assert_eq!(set_up(&dist(&format!("../{file}"))), removed, "{file}");
    }
}

#[test]
fn the_image_is_pinned_and_not_root() {
    let file = dist("server/Containerfile");
    assert_eq!(image_faults(&file), NOTHING);
    let user = file
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("USER "));
    assert!(
        user.is_some_and(|user| !["root", "0"].contains(&user)),
        "{user:?}"
    );
}

/// A text without one of its lines.
fn without(text: &str, line: usize) -> String {
    let lines = text
        .lines()
        .enumerate()
        .filter(|(number, _)| *number != line);
    lines.map(|(_, line)| format!("{line}\n")).collect()
}

#[test]
fn where_a_guarding_line_goes_these_tests_fail() {
    let unit = dist("server/touchmove.service");
    for (number, line) in unit.lines().enumerate() {
        if UNIT.contains(&line) {
            assert_ne!(unit_faults(&without(&unit, number)), NOTHING, "{line}");
        }
    }
    for name in MANIFESTS {
        let manifest = dist(&format!("kubernetes/{name}.yaml"));
        let pod = manifest
            .split("\n---\n")
            .find(|document| document.contains("containers:"));
        let pod = pod.expect("a pod");
        for (number, line) in pod.lines().enumerate() {
            if POD.contains(&line.trim()) || line.trim().starts_with("limits:") {
                assert_ne!(pod_faults(&without(pod, number)), NOTHING, "{name}: {line}");
            }
        }
    }
    let policies = dist("kubernetes/network-policies.yaml");
    for (number, line) in policies.lines().enumerate() {
        if ["kind: NetworkPolicy", "policyTypes: [Ingress, Egress]"].contains(&line.trim()) {
            assert_ne!(
                policy_faults(&without(&policies, number)),
                NOTHING,
                "{line}"
            );
        }
    }
    let compose = dist("compose.yaml");
    for (number, line) in compose.lines().enumerate() {
        let limits = ["mem_limit:", "cpus:", "pids_limit:", "<<: *hardened"];
        let guards = limits.iter().any(|limit| line.trim().starts_with(limit));
        if guards || HARDENED.contains(&line.trim()) {
            assert_ne!(
                compose_faults(&without(&compose, number)),
                NOTHING,
                "{line}"
            );
        }
    }
    for (wrong, faults) in [
        ("image: nats:latest", image_faults("image: nats:latest")),
        ("image: nats", image_faults("image: nats")),
        (
            "a wide proxy",
            proxy_faults("- { name: TOUCHMOVE_TRUSTED_PROXY, value: \"10.0.0.0/8\" }"),
        ),
    ] {
        assert_ne!(faults, NOTHING, "{wrong}");
    }
}
