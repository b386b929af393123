package manifest

import "strings"

// Selector chooses pods by their labels, as a LabelSelector of the API.
type Selector struct {
	MatchLabels      map[string]string `json:"matchLabels,omitempty"`
	MatchExpressions []Expression      `json:"matchExpressions,omitempty"`
}

// Expression is one requirement of a Selector; Operator is In, NotIn, Exists or DoesNotExist.
type Expression struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Values   []string `json:"values,omitempty"`
}

// Object is one API object.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   meta   `json:"metadata"`

	// Of a ServiceAccount.
	AutomountServiceAccountToken *bool `json:"automountServiceAccountToken,omitempty"`
	// Of a Secret.
	Type       string            `json:"type,omitempty"`
	StringData map[string]string `json:"stringData,omitempty"`
	// Of a Job, a Service, a NetworkPolicy: jobSpec, serviceSpec, policySpec.
	Spec any `json:"spec,omitempty"`
}

// Name is the object's, as kubectl takes it: job/unpark-x.
func (o Object) Name() string { return strings.ToLower(o.Kind) + "/" + o.Metadata.Name }

type meta struct {
	Name            string            `json:"name,omitempty"`
	Namespace       string            `json:"namespace,omitempty"`
	Labels          map[string]string `json:"labels,omitempty"`
	Annotations     map[string]string `json:"annotations,omitempty"`
	OwnerReferences []reference       `json:"ownerReferences,omitempty"`
}

type reference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	UID        string `json:"uid"`
}

type jobSpec struct {
	CompletionMode          string   `json:"completionMode,omitempty"`
	Completions             int      `json:"completions"`
	Parallelism             int      `json:"parallelism"`
	BackoffLimit            *int     `json:"backoffLimit,omitempty"`
	BackoffLimitPerIndex    *int     `json:"backoffLimitPerIndex,omitempty"`
	ActiveDeadlineSeconds   int      `json:"activeDeadlineSeconds"`
	TTLSecondsAfterFinished int      `json:"ttlSecondsAfterFinished"`
	Template                template `json:"template"`
}

type template struct {
	Metadata meta    `json:"metadata"`
	Spec     podSpec `json:"spec"`
}

type podSpec struct {
	ServiceAccountName            string            `json:"serviceAccountName"`
	AutomountServiceAccountToken  bool              `json:"automountServiceAccountToken"`
	EnableServiceLinks            bool              `json:"enableServiceLinks"`
	RestartPolicy                 string            `json:"restartPolicy"`
	TerminationGracePeriodSeconds int               `json:"terminationGracePeriodSeconds"`
	ImagePullSecrets              []named           `json:"imagePullSecrets,omitempty"`
	NodeSelector                  map[string]string `json:"nodeSelector,omitempty"`
	SecurityContext               podSecurity       `json:"securityContext"`
	Affinity                      affinity          `json:"affinity"`
	TopologySpreadConstraints     []spread          `json:"topologySpreadConstraints,omitempty"`
	Containers                    []container       `json:"containers"`
	Volumes                       []volume          `json:"volumes"`
}

type named struct {
	Name string `json:"name"`
}

type podSecurity struct {
	RunAsNonRoot   bool    `json:"runAsNonRoot"`
	SeccompProfile seccomp `json:"seccompProfile"`
}

type seccomp struct {
	Type string `json:"type"`
}

type affinity struct {
	PodAntiAffinity antiAffinity `json:"podAntiAffinity"`
}

type antiAffinity struct {
	Required  []term         `json:"requiredDuringSchedulingIgnoredDuringExecution,omitempty"`
	Preferred []weightedTerm `json:"preferredDuringSchedulingIgnoredDuringExecution,omitempty"`
}

type term struct {
	LabelSelector Selector `json:"labelSelector"`
	TopologyKey   string   `json:"topologyKey"`
}

type weightedTerm struct {
	Weight int  `json:"weight"`
	Term   term `json:"podAffinityTerm"`
}

type spread struct {
	MaxSkew           int      `json:"maxSkew"`
	TopologyKey       string   `json:"topologyKey"`
	WhenUnsatisfiable string   `json:"whenUnsatisfiable"`
	LabelSelector     Selector `json:"labelSelector"`
}

type container struct {
	Name            string            `json:"name"`
	Image           string            `json:"image"`
	Args            []string          `json:"args"`
	WorkingDir      string            `json:"workingDir,omitempty"`
	Env             []variable        `json:"env,omitempty"`
	Ports           []containerPort   `json:"ports,omitempty"`
	Resources       resources         `json:"resources"`
	ReadinessProbe  *readiness        `json:"readinessProbe,omitempty"`
	SecurityContext containerSecurity `json:"securityContext"`
	VolumeMounts    []mount           `json:"volumeMounts"`
}

type variable struct {
	Name      string  `json:"name"`
	Value     string  `json:"value,omitempty"`
	ValueFrom *source `json:"valueFrom,omitempty"`
}

type source struct {
	SecretKeyRef keyRef `json:"secretKeyRef"`
}

type keyRef struct {
	Name string `json:"name"`
	Key  string `json:"key"`
}

type containerPort struct {
	Name          string `json:"name"`
	ContainerPort int    `json:"containerPort"`
}

type resources struct {
	Requests map[string]string `json:"requests"`
	Limits   map[string]string `json:"limits"`
}

type readiness struct {
	TCPSocket        socket `json:"tcpSocket"`
	PeriodSeconds    int    `json:"periodSeconds"`
	FailureThreshold int    `json:"failureThreshold"`
}

type socket struct {
	Port string `json:"port"`
}

type containerSecurity struct {
	AllowPrivilegeEscalation *bool        `json:"allowPrivilegeEscalation,omitempty"`
	ReadOnlyRootFilesystem   bool         `json:"readOnlyRootFilesystem"`
	RunAsNonRoot             *bool        `json:"runAsNonRoot,omitempty"`
	RunAsUser                *int         `json:"runAsUser,omitempty"`
	Capabilities             capabilities `json:"capabilities"`
	SeccompProfile           *seccomp     `json:"seccompProfile,omitempty"`
}

type capabilities struct {
	Add  []string `json:"add,omitempty"`
	Drop []string `json:"drop"`
}

type mount struct {
	Name      string `json:"name"`
	MountPath string `json:"mountPath"`
	ReadOnly  bool   `json:"readOnly,omitempty"`
}

type volume struct {
	Name     string        `json:"name"`
	EmptyDir *emptyDir     `json:"emptyDir,omitempty"`
	Secret   *secretVolume `json:"secret,omitempty"`
}

type emptyDir struct {
	SizeLimit string `json:"sizeLimit"`
}

type secretVolume struct {
	SecretName string `json:"secretName"`
	Items      []item `json:"items,omitempty"`
}

type item struct {
	Key  string `json:"key"`
	Path string `json:"path"`
}

type serviceSpec struct {
	ClusterIP                string            `json:"clusterIP"`
	PublishNotReadyAddresses bool              `json:"publishNotReadyAddresses"`
	Selector                 map[string]string `json:"selector"`
	Ports                    []servicePort     `json:"ports"`
}

type servicePort struct {
	Name       string `json:"name"`
	Port       int    `json:"port"`
	TargetPort string `json:"targetPort"`
}

type policySpec struct {
	PodSelector Selector  `json:"podSelector"`
	PolicyTypes []string  `json:"policyTypes"`
	Ingress     []ingress `json:"ingress,omitempty"`
	Egress      []egress  `json:"egress,omitempty"`
}

type ingress struct {
	From  []peer       `json:"from"`
	Ports []policyPort `json:"ports"`
}

type egress struct {
	To    []peer       `json:"to,omitempty"`
	Ports []policyPort `json:"ports,omitempty"`
}

type peer struct {
	PodSelector       *Selector `json:"podSelector,omitempty"`
	NamespaceSelector *Selector `json:"namespaceSelector,omitempty"`
	IPBlock           *ipBlock  `json:"ipBlock,omitempty"`
}

type ipBlock struct {
	CIDR string `json:"cidr"`
}

type policyPort struct {
	Protocol string `json:"protocol"`
	Port     any    `json:"port"`
}
