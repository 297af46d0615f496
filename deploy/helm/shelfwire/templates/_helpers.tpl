{{- define "shelfwire.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "shelfwire.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "shelfwire.labels" -}}
{{ include "shelfwire.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "shelfwire.image" -}}
{{- with .Values.image }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end }}
{{- end }}

{{- define "shelfwire.secret" -}}
{{- if .Values.secret.existing }}{{ .Values.secret.existing }}
{{- else if .Values.secret.values }}{{ include "shelfwire.name" . }}
{{- else }}{{ fail "secret.existing must name a Secret with REDIS_URL, MONGODB_URL, JWT_SECRET and LABEL_SERVER_SECRET, or secret.values must hold them" }}
{{- end }}
{{- end }}

{{/* The pod of a process: root, component, command and resources; ports and probes of web. */}}
{{- define "shelfwire.pod" -}}
automountServiceAccountToken: false
terminationGracePeriodSeconds: 30
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
containers:
  - name: {{ .component }}
    image: {{ include "shelfwire.image" .root | quote }}
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    command: {{ toJson .command }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    envFrom:
      - secretRef: { name: {{ include "shelfwire.secret" .root }} }
    env:
      - { name: NODE_ENV, value: production }
      {{- if eq .component "web" }}
      - { name: PORT, value: "8080" }
      {{- end }}
      {{- range $name, $value := .root.Values.settings }}
      {{- /* As JSON, a number keeps its digits: 3024000 is not 3.024e+06. */}}
      - { name: {{ $name }}, value: {{ if kindIs "string" $value }}{{ $value | quote }}{{ else }}{{ toJson $value | quote }}{{ end }} }
      {{- end }}
    {{- with .ports }}
    ports: {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with .probes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    resources: {{- toYaml .resources | nindent 6 }}
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
volumes:
  - { name: tmp, emptyDir: {} }
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
