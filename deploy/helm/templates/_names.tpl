{{- define "trawl.secret" -}}
{{- if .Values.secret }}{{ .Release.Name }}{{ else }}{{ .Values.existingSecret }}{{ end }}
{{- end -}}
{{- define "trawl.role" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .root.Release.Name }}-{{ .role }}
  labels:
    app: {{ .root.Release.Name }}
    role: {{ .role }}
spec:
  replicas: {{ .own.replicas }}
  selector:
    matchLabels:
      app: {{ .root.Release.Name }}
      role: {{ .role }}
  strategy:
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  template:
    metadata:
      labels:
        app: {{ .root.Release.Name }}
        role: {{ .role }}
    spec:
      serviceAccountName: {{ .root.Release.Name }}
      automountServiceAccountToken: false
      {{- if .root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml .root.Values.imagePullSecrets | nindent 8 }}
      {{- end }}
      terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        seccompProfile:
          type: {{ .own.seccompProfile }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              app: {{ .root.Release.Name }}
              role: {{ .role }}
      containers:
        - name: trawl
          image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: ["serve", "--role", {{ .role | quote }}]
          ports:
            - name: http
              containerPort: 3002
          envFrom:
            - configMapRef:
                name: {{ .root.Release.Name }}
            - secretRef:
                name: {{ include "trawl.secret" .root }}
          {{- if ne .role "browser" }}
          env:
            # Rendering is left to the browser servers.
            - name: CHROMIUM_PATH
              value: /none
          {{- end }}
          startupProbe:
            httpGet:
              path: /health/liveness
              port: http
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet:
              path: /health/liveness
              port: http
            periodSeconds: 15
            timeoutSeconds: 5
            failureThreshold: 4
          readinessProbe:
            httpGet:
              path: /health/readiness
              port: http
            periodSeconds: 5
            timeoutSeconds: 6
          resources:
            requests:
              cpu: {{ .own.cpu | quote }}
              memory: {{ .own.memory }}
            limits:
              memory: {{ .own.memoryLimit }}
          securityContext:
            {{- if ne .role "browser" }}
            allowPrivilegeEscalation: false
            {{- end }}
            readOnlyRootFilesystem: true
            capabilities:
              drop: ["ALL"]
          volumeMounts:
            - name: data
              mountPath: /data
            - name: tmp
              mountPath: /tmp
      volumes:
        - name: data
          emptyDir: {}
        - name: tmp
          emptyDir: {}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .root.Release.Name }}-{{ .role }}
spec:
  minAvailable: 1
  selector:
    matchLabels:
      app: {{ .root.Release.Name }}
      role: {{ .role }}
{{- end -}}
